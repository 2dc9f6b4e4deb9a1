"""Kinds of things with members of them, in English: whoever asks for the kind means its members, not the other way."""

__all__ = ["KINDS"]

# `kind: member member / kind: …`; one word each, in any of its forms.
KINDS = """
pet: dog cat puppy kitten fish hamster rabbit bird turtle parrot guinea pets ferret gerbil lizard gecko tortoise
cockatiel canary goldfish pony kittens puppies / animal: dog cat horse bird fish turtle snake cow pig sheep goat
donkey duck chicken goose deer bear wolf fox elephant lion tiger monkey dolphin whale shark frog butterfly squirrel
owl eagle / instrument: guitar piano violin drums flute cello clarinet saxophone ukulele keyboard trumpet trombone
harp banjo harmonica bass viola oboe accordion mandolin drum / sport: basketball football soccer tennis baseball golf
hockey swimming volleyball skiing surfing running rugby cricket badminton squash wrestling gymnastics rowing karate
judo fencing archery bowling skating snowboarding cycling climbing boxing marathon triathlon polo lacrosse / activity:
hiking camping swimming painting running dancing reading cooking biking yoga pottery fishing walk jog swim bike kayak
ski climb surf fish paint draw sing bake sew knit garden picnic bowling museum concert / activities: hiking camping
swimming painting running dancing reading cooking biking yoga pottery fishing walk jog swim bike kayak ski climb surf
fish paint draw sing bake sew knit garden picnic bowling museum concert / hobby: painting reading gardening cooking
photography gaming hiking fishing knitting drawing singing writing baking sewing chess collecting cycling running
birdwatching woodworking guitar piano crafts pottery / outdoor: hiking camping beach park lake mountain trail kayaking
climbing / exercise: yoga running weights swimming cycling cardio boxing pushups squats pilates aerobics stretching
jogging hiking treadmill dance zumba / art: painting drawing sculpture pottery photography / color: red blue green
yellow purple pink orange black white / colour: red blue green yellow purple pink orange black white / country:
england france spain italy germany ireland japan canada mexico brazil india china thailand australia sweden uk greece
russia poland portugal netherlands belgium switzerland austria turkey egypt morocco kenya nigeria argentina chile peru
colombia cuba jamaica korea vietnam indonesia philippines malaysia singapore norway denmark finland iceland scotland
wales iran israel ukraine hungary croatia romania zealand cambodia nepal america / city: london paris rome tokyo
chicago seattle boston york angeles francisco barcelona berlin miami dublin amsterdam prague vienna lisbon madrid
athens istanbul dubai singapore sydney melbourne toronto vancouver montreal houston dallas austin denver portland
phoenix atlanta philadelphia washington orleans vegas moscow beijing shanghai delhi mumbai bangkok seoul munich venice
florence milan edinburgh / state: california florida texas oregon washington michigan minnesota arizona colorado utah
nevada alaska hawaii georgia carolina virginia pennsylvania ohio illinois wisconsin missouri tennessee kentucky
louisiana alabama massachusetts connecticut maine vermont jersey / music: song band album concert rock jazz classical
pop / genre: fantasy mystery thriller romance comedy horror rock jazz / food: pizza pasta salad chicken cake soup
sushi bread cookies vegetables fruit rice noodles curry burger sandwich tacos steak fish salmon shrimp cheese pie
pancakes waffles omelette dumplings ramen lasagna risotto stew chili barbecue chocolate / meal: chicken salad soup
pasta vegetables breakfast dinner lunch pizza steak curry sandwich stew noodles burger fish omelette pancakes lasagna
/ dessert: cake cookies pie chocolate brownie tart pudding cheesecake cupcakes muffin donut cookie pastry / vegetable:
spinach broccoli carrot tomato potato onion pepper cucumber lettuce cabbage kale zucchini pumpkin peas beans corn
eggplant / fruit: apple banana berries strawberries orange mango grape pineapple melon watermelon peach pear plum
cherry kiwi lemon blueberry raspberry / emotion: happy sad excited scared proud nervous angry lonely anxious jealous
grateful relieved disappointed hopeful calm / feel: happy sad excited scared proud grateful amazing / family: kids
husband wife mom dad brother sister son daughter parents fam aunt uncle cousin grandma grandpa niece nephew
granddaughter grandson grandmother grandfather sibling twin twins fiance / relative: cousin uncle aunt nephew niece
grandma grandpa grandmother grandfather granddaughter grandson / event: party concert festival conference parade
wedding show workshop meeting reunion fair exhibition ceremony gala marathon tournament graduation / injury: ankle
knee wrist leg arm back fracture sprain burn cut bruise concussion broke / health: doctor diet weight hospital
exercise / vehicle: car truck bike motorcycle bus van suv scooter tractor jeep tesla toyota ford honda / device: phone
laptop camera watch tablet computer console headphones tv router speaker headset smartwatch kindle printer drone /
place: park beach museum restaurant cafe / nature: forest lake mountain beach sunset / weather: rain sun snow storm
wind fog thunder hail sleet cloudy heat humid frost / season: spring summer fall winter / education: school college
degree class university / job: teacher engineer designer manager nurse doctor lawyer accountant chef waiter barista
cashier driver pilot mechanic electrician plumber architect journalist librarian scientist programmer developer
analyst consultant salesman therapist counselor coach / console: playstation xbox nintendo switch / game: nintendo
playstation xbox zelda chess poker monopoly scrabble mario minecraft puzzle cards tetris pokemon fortnite overwatch /
book: novel author series / movie: film actor horror comedy drama romcom / financial: money bank loan debt / charity:
homeless shelter donation fundraiser donate volunteer / clothing: shirt dress jacket coat jeans sweater hat socks
gloves scarf shoes boots skirt blouse suit pants shorts hoodie uniform / furniture: sofa couch chair table desk bed
lamp shelf dresser wardrobe cabinet bookshelf stool mattress rug / drink: coffee tea wine beer juice water soda
tequila whiskey vodka rum cocktail smoothie lemonade milk cocoa / sweet: cake chocolate candy cookies cream / snack:
chips cookies popcorn nuts fruit / bird: parrot owl eagle crow pigeon hawk robin sparrow duck swan penguin flamingo
hummingbird / plant: flower rose tree cactus herb tomato / flower: rose tulip lily sunflower daisy / reptile: snake
lizard turtle gecko / body: knee back leg arm shoulder head neck foot ankle wrist hip elbow finger eye stomach heart /
symptom: pain fever cough headache / disease: cancer diabetes asthma flu arthritis covid pneumonia alzheimer
depression anxiety migraine allergy bronchitis / subject: math science history art physics biology chemistry geography
economics literature philosophy music english engineering / language: spanish french german japanese italian english
portuguese korean mandarin russian arabic hindi dutch latin swahili python javascript typescript java rust golang ruby
kotlin swift / continent: europe asia africa america / european: france spain italy germany england / religion: church
christian muslim buddhist jewish hindu catholic mosque synagogue temple bible / martial: karate judo boxing taekwondo
kickboxing / dance: ballet salsa ballroom hip / craft: pottery knitting sewing woodworking / artist: painter musician
singer picasso gogh monet dali warhol / musician: guitarist singer pianist drummer / band: guitar drummer singer
beatles queen coldplay metallica / hardware: cpu gpu monitor keyboard mouse / programming: python javascript java rust
/ media: tv youtube podcast news / platform: youtube twitch instagram tiktok / transport: bus train car bike subway
flight plane ferry tram boat motorcycle taxi uber / shop: bakery mall market boutique / building: house church school
tower castle / landmark: tower bridge statue castle temple / room: kitchen bedroom bathroom garage / celebrate:
birthday party wedding anniversary / holiday: christmas thanksgiving easter halloween diwali hanukkah ramadan
valentine / volunteer: shelter homeless charity / stress: yoga meditation walk breathe / relax: yoga meditation bath
music reading walk / diet: vegetables fruit protein sugar vegan salad / workout: yoga weights gym cardio running /
water: lake ocean river beach pool kayaking swimming / travel: europe flight hotel trip / trip: beach mountain camping
europe roadtrip / achievement: award won graduated promotion record / award: trophy medal prize certificate /
business: store shop startup company / degree: psychology engineering business law / field: psychology engineering
medicine law / career: teacher nurse engineer counselor writer / problem: broken broke stress accident / accident: car
crash injury / damage: flood fire broken / vacation: beach hawaii paris cruise / sculpture: clay pottery / company:
nike google / brand: nike adidas gucci apple / writing: story poem book blog journal novel / write: story poem letter
book screenplay / story: novel book tale / date: restaurant dinner romantic / view: sunset mountain ocean / outdoors:
hiking camping park / occupation: doctor lawyer teacher nurse engineer chef writer artist scientist programmer
developer manager designer / profession: doctor lawyer teacher nurse engineer chef writer artist scientist programmer
developer manager designer / clothes: shirt dress jacket coat jeans sweater skirt pants hoodie / illness: flu cold
cancer diabetes asthma migraine pneumonia fever infection / allergy: peanut pollen dust gluten shellfish dairy cat dog
fur / car: toyota honda ford tesla bmw prius subaru jeep sedan suv / day: monday tuesday wednesday thursday friday
saturday sunday / month: january february march april may june july august september october november december /
material: wood clay metal glass leather fabric plastic stone paper / tool: hammer saw drill wrench screwdriver /
appliance: oven fridge microwave dishwasher washer dryer blender toaster / insect: bee ant butterfly spider beetle
mosquito / tree: oak pine maple willow birch palm / shape: circle square triangle star heart / metal: gold silver
copper iron steel / currency: dollar euro pound yen / alcohol: beer wine whiskey vodka rum cocktail tequila /
ingredient: flour sugar butter egg salt garlic onion cheese basil / spice: pepper cinnamon ginger garlic basil /
sweets: chocolate candy cookies cake / festival: music food film / superhero: batman superman spiderman marvel /
fantasy: potter / series: friends netflix season episode / show: episode season netflix series / author: tolkien
rowling king austen orwell christie / treatment: medication surgery therapy chemo insulin / pain: headache back knee
migraine sore / school: elementary middle high kindergarten college / qualification: degree diploma certificate
license / crime: robbery theft murder burglary stolen / disaster: earthquake flood hurricane tornado fire wildfire
storm / social: facebook instagram twitter tiktok snapchat / software: photoshop excel windows linux / database:
postgres mysql sqlite mongodb redis / framework: react django flask rails vue angular / editor: vim emacs vscode /
cloud: aws azure gcp kubernetes docker / browser: chrome firefox safari
"""
