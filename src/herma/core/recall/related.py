"""English words that stand for one another, and kinds with some of what they include: plain knowledge, no model.

People ask in other words than they told: `which pets`, where they had spoken of a kitten. What is related finds too,
for less than the word itself. Forms of one verb or noun that no stemmer brings together are one word. Languages
without a table are searched by their own words.
"""

from collections.abc import Mapping
from functools import cache

from herma.core.recall.kinds import KINDS

__all__ = ["forms", "related"]

# One word in its irregular forms.
_FORMS = """
go went gone going / buy bought / take took taken / get got gotten / give gave given / make made / see saw seen / come
came / know knew known / think thought / tell told / find found / feel felt / leave left / keep kept / begin began
begun / run ran / write wrote written / speak spoke spoken / meet met / bring brought / teach taught / catch caught /
sell sold / lose lost / win won / build built / grow grew grown / draw drew drawn / drive drove driven / fly flew
flown / eat ate eaten / drink drank drunk / sing sang sung / swim swam swum / break broke broken / choose chose chosen
/ wear wore worn / fall fell fallen / hear heard / hold held / spend spent / send sent / sleep slept / stand stood /
understand understood / become became / throw threw thrown / ride rode ridden / rise rose risen / pay paid / say said
/ do did done does / have had has / child children / man men / woman women / person people / foot feet / tooth teeth /
mouse mice / wife wives / life lives / steal stole stolen / forget forgot forgotten / fight fought / hide hid hidden /
shake shook / bite bit bitten / forgive forgave / deal dealt / dream dreamt / learn learnt / lead led / feed fed /
light lit / lend lent / bend bent / hang hung / stick stuck / strike struck / tear tore torn / wake woke woken /
freeze froze frozen / shoot shot / sit sat / dig dug / blow blew blown / sew sewn
"""

# Words of which one may be said for the other.
_ALIKE = """
child children kid kids son daughter baby toddler / parent parents mom mum mother dad father / mother mom mum mama /
father dad papa / grandmother grandma granny nana / grandfather grandpa / brother sister sibling siblings / husband
wife spouse partner / girlfriend boyfriend partner date / marry married marriage wedding wed bride groom spouse
engaged / friend friends buddy buddies pal / family relatives fam / boss manager supervisor / colleague coworker
teammate / job work career position profession occupation / company firm business employer startup / buy bought
purchase purchased shop shopping / get got receive received / car vehicle drive truck / bike bicycle cycling / house
home apartment flat / movie film cinema movies / book novel read reading / picture photo photograph image pic / paint
painting painted canvas / draw drawing drew sketch / song songs music tune track album / concert gig show festival /
game games gaming play / doctor physician hospital clinic / ill sick illness disease / injury injured hurt accident
sprain broke / pain ache sore / exercise workout gym fitness training / run running jog jogging marathon / hike hiking
trail trek / swim swimming pool / holiday vacation trip travel / trip travel journey vacation visit tour / roadtrip
road trip / travel traveled travelled flew flight visited went / beach ocean sea coast / mountain mountains hill peak
/ food meal dish cuisine / cook cooking cooked bake baking baked recipe / eat ate eating dinner lunch breakfast /
restaurant cafe diner eatery / drink beverage coffee tea wine beer soda / dog puppy pup / cat kitten kitty / happy
glad joy excited thrilled / sad upset unhappy down / angry mad annoyed frustrated / afraid scared fear frightened
terrified / worried anxious nervous stress stressed / proud pride / love adore enjoy like favorite fave / hate dislike
/ favorite favourite fave love best / big large huge / small little tiny / begin began start started / end finish
finished complete completed / help assist support aid / teach taught teacher lesson class / learn study studying
course class / school college university / student pupil class / exam test exams / buy bought get got / sell sold sale
/ money cash funds dollars pay paid / fix repair repaired fixed / break broke broken / lose lost / find found discover
discovered / think thought believe opinion / say said tell told mention mentioned / talk chat discuss conversation
spoke / idea suggestion advice tip tips recommend recommendation suggest / plan plans planning planned intend upcoming
/ goal dream aim aspiration / win won winning victory / award prize trophy medal / contest competition tournament
championship / team squad club / volunteer volunteering charity donate nonprofit / church faith religious god religion
/ garden plants gardening flowers / flower flowers rose sunflower tulip bouquet / weather rain snow storm sunny /
night evening tonight / necklace bracelet ring jewelry / gift present gave / birthday anniversary celebrate party /
party celebration gathering / move moved relocate relocated / born birth grew hometown / die died death passed funeral
/ computer laptop pc / phone mobile smartphone / program programming code coding software / dance dancing dancer /
sing singing singer / write writing wrote writer / photography camera photos / hobby hobbies pastime interest / shoe
shoes sneakers boots / clothes clothing outfit dress shirt / healthy health wellness / diet nutrition healthy / relax
relaxing unwind calm destress / meditate meditation yoga mindfulness / hard difficult tough challenging challenge /
problem issue trouble difficulty challenge setback / important significant meaningful special / new recent recently
latest / near nearby close / country abroad nation foreign / city town / own have got / adopt adopted adoption / art
artist artwork painting drawing sculpture / store shop / ago back / remind reminder reminds / symbolize represent
represents stand stands symbol mean means / participate participated joined attend attended took part / attend
attended went / inspire inspired inspiration motivate motivated / improve improved better / decide decided decision /
meet met / quit left resigned / bug defect error failure crash fault / error exception traceback failure / fix fixed
patch repair solved resolve resolved / deploy release ship rollout publish / config configuration settings options
preferences / database db sqlite postgres mysql / test tests testing suite / server host machine backend / folder
directory / file document / function method routine / delete remove drop erase / rename renamed / speed performance
fast slow latency / install setup installed / password credential key token secret / login signin authentication auth
/ repo repository git branch commit / api endpoint route / docs documentation readme guide / afternoon noon / birthday
born / wish hope want desire / allergic allergy allergies / car automobile vehicle / kitchen cooking / neighbor
neighbour neighborhood / salary income wage earnings pay / rent rental lease / invest investment stocks / book author
writer / actor actress star / hospital clinic surgery emergency / medicine medication pills drug treatment therapy /
therapy therapist counseling counselor psychologist / tired exhausted fatigue / lonely alone isolated / calm peaceful
serene tranquil / beautiful gorgeous stunning lovely / weird strange odd unusual / smart clever intelligent / rich
wealthy / poor broke / quick fast rapid / old elderly aged / young younger youth / race marathon competition / coach
trainer mentor / fan supporter / match game / stadium arena / hotel hostel resort accommodation stay / flight plane
airport airplane / train railway subway / camp camping campfire tent / fish fishing / snow ski skiing snowboarding /
climb climbing / surf surfing / bake baking baked bread cake cookies / recipe ingredients cook / vegetarian vegan /
dessert sweet cake / picnic barbecue / furniture sofa couch chair table desk / clean cleaning tidy / decorate
decoration decor / craft crafts handmade pottery knitting sewing / collect collection collector / museum gallery
exhibit exhibition / theater theatre play stage / comic comics manga / podcast radio show / show series tv television
/ channel blog vlog youtube / social facebook instagram twitter / support group community / community neighborhood
local / homeless shelter / environment nature climate green recycling / donate donation fundraiser charity / military
army veteran service / politics political election campaign vote / law legal lawyer attorney court / police officer /
fire firefighter / accident crash collision / flood storm hurricane / refugee immigrant / culture tradition heritage /
language spanish french german english / degree graduate graduation graduated diploma / scholarship grant funding /
interview hired hiring / promotion promoted raise / fired laid layoff unemployed jobless / business shop store startup
/ customer client / meeting appointment / deadline due / lesson course tutorial / skill ability talent / habit routine
/ memory memories remember / childhood kid younger / future upcoming / past previous former / secret private / gift
present surprise / toy toys doll lego / costume halloween / christmas holiday thanksgiving easter / prayer pray church
/ ceremony wedding / pregnant pregnancy expecting / divorce divorced separated breakup / single unmarried / nickname
name called / identity gender transgender lgbtq / gay lesbian lgbtq queer / pride parade lgbtq / courage brave /
strength strong / hope optimistic positive / kind kindness caring / appreciate grateful thankful gratitude / respect
admire / trust honest / lesson learned realize realized / career profession field / cheap inexpensive affordable
bargain discount / expensive costly pricey / hungry starving appetite / thirsty drink / cold chilly freezing / hot
warm heat / wet rainy damp / dark night / noisy loud noise / quiet silent peaceful / dirty messy mess / empty blank /
strong powerful / weak fragile / brave courageous / shy introverted quiet / funny humor hilarious joke comedy laugh /
boring dull / scary creepy spooky horror / cute adorable / ugly hideous / famous celebrity popular / crowd audience /
leader leadership captain / expert specialist professional / beginner newbie novice / volunteer helper / guest visitor
visitors / roommate flatmate / landlord tenant rent / passport visa immigration / luggage suitcase bag backpack / map
directions navigation / ticket tickets booking reservation reserve booked / schedule calendar agenda / message text
texted email letter / call called phoned rang / argue argument fight quarrel disagreement conflict / apologize apology
sorry / promise promised vow / secret confidential / surprise surprised shocked amazed / encourage encouraged motivate
cheer support / advise advised advice recommend / explain explained describe / remember recall remind memory / forget
forgotten / choose chose pick picked select selected / prefer preference favorite / compare comparison / change
changed switch switched transition / grow grew growth expand / reduce decrease cut / increase raise boost / save saved
savings / spend spent / earn earned income / borrow lend loan / owe debt / wash laundry clean / iron sew / drawer
cabinet shelf / roof ceiling / yard garden backyard lawn / fence gate / pond lake / river stream creek / forest woods
trees / desert sand dunes / island beach / valley canyon / waterfall falls / cave cavern / star stars astronomy
telescope / moon lunar / planet space / science scientific research experiment / research researching study
investigate looked / technology tech gadget / robot robotics / app application software / website site page web /
laptop macbook notebook / camera lens photo / headphones earbuds / battery charger / print printed printer / camping
camp tent campfire marshmallows / kayak kayaking canoe paddle rafting / sail sailing boat yacht / skate skateboard
skating / gymnastics gymnast / box boxing / chess board / puzzle puzzles jigsaw / card cards poker / tournament
esports gaming / stream streaming streamer / novel fiction fantasy / poem poetry poet / essay article writing /
publish published publisher / character hero protagonist / director filmmaker screenplay script / audition role acting
/ guitar strum chords / piano keys / drum drums drummer / violin fiddle / choir singing sing / opera classical
orchestra / perform performance performed stage / rehearsal practice / dance ballet choreography / sculpture statue /
pottery clay ceramics pots bowl / knit knitting crochet yarn / quilt sewing / jewelry earrings ring / tattoo ink /
makeup cosmetics / haircut hair / glasses vision / teeth dentist / allergy allergic / asthma breathing inhaler /
vaccine shot / surgery operation / recover recovery healed healing / rehab physiotherapy therapy / weight obese diet
pounds / muscle strength lifting / sleep asleep insomnia nap / wake woke morning / breakfast brunch / lunch midday /
dinner supper / snack treats / sandwich burger / soup stew / salad greens / barbecue grill / spicy curry / vegetable
veggies veggie / meat beef steak / chicken turkey / fish salmon seafood / cheese dairy milk / egg eggs / rice noodles
/ pasta spaghetti lasagna / fruit smoothie / tea herbal / beer brewery pub bar / cocktail drink
"""


@cache
def forms() -> Mapping[str, frozenset[str]]:
    """For a word the other forms of it."""
    return _groups(_FORMS)


@cache
def related() -> Mapping[str, frozenset[str]]:
    """For a word those that may have been said in its place."""
    found = {word: set(others) for word, others in _groups(_ALIKE).items()}
    for line in _split(KINDS):
        kind, _, members = line.partition(":")
        found.setdefault(kind.strip(), set()).update(members.split())
    return {word: frozenset(others) for word, others in found.items()}


def _groups(table: str) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for group in map(str.split, _split(table)):
        for word in group:
            found.setdefault(word, set()).update(group)
    return {word: frozenset(group - {word}) for word, group in found.items()}


def _split(table: str) -> list[str]:
    return " ".join(table.split()).split(" / ")
