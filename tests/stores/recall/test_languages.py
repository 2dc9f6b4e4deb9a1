"""A small past in several scripts: asked in another script, a question finds no less than in English."""

from pathlib import Path
from typing import NamedTuple

import pytest
from tests.stores.recall.told import Told, index_of, texts

from herma.core.recall.scripts import normal


class Asked(NamedTuple):
    """The same fact and the same question in each script."""

    said: str
    question: str


PAST = {
    "english": [
        Asked("My sister drinks green tea every morning.", "what does my sister drink?"),
        Asked("The meeting with the bank is on Thursday.", "when is the bank meeting?"),
        Asked("We moved from Berlin to Kyoto last year.", "where did we move?"),
        Asked("The cat is afraid of thunder.", "what is the cat afraid of?"),
        Asked("I am learning to play the violin.", "which instrument am I learning?"),
        Asked("The old bicycle has a broken chain.", "what is wrong with the bicycle?"),
    ],
    "chinese": [
        Asked("我姐姐每天早上喝绿茶。", "我姐姐喝什么茶？"),
        Asked("和银行的会议在星期四。", "银行会议是哪天？"),
        Asked("去年我们从柏林搬到了京都。", "我们搬到了哪里？"),
        Asked("猫害怕打雷。", "猫害怕什么？"),
        Asked("我在学拉小提琴。", "我在学什么琴？"),
        Asked("旧自行车的链条断了。", "自行车怎么了？"),
    ],
    "japanese": [
        Asked("姉は毎朝緑茶を飲みます。", "姉は何を飲みますか？"),
        Asked("銀行との会議は木曜日です。", "銀行の会議はいつですか？"),
        Asked("去年ベルリンから京都に引っ越しました。", "どこに引っ越しましたか？"),
        Asked("猫は雷を怖がります。", "猫は何を怖がりますか？"),
        Asked("バイオリンを習っています。", "何を習っていますか？"),
        Asked("古い自転車のチェーンが切れました。", "自転車はどうしましたか？"),
    ],
    "korean": [
        Asked("누나는 매일 아침 녹차를 마셔요.", "누나는 무엇을 마시나요?"),
        Asked("은행과의 회의는 목요일입니다.", "은행 회의는 언제예요?"),
        Asked("작년에 베를린에서 교토로 이사했어요.", "어디로 이사했나요?"),
        Asked("고양이는 천둥을 무서워해요.", "고양이가 무서워하는 것은?"),
        Asked("저는 바이올린을 배우고 있어요.", "무엇을 배우고 있나요?"),
        Asked("낡은 자전거의 체인이 끊어졌어요.", "자전거가 왜 고장났어요?"),
    ],
    "thai": [
        Asked("พี่สาวของฉันดื่มชาเขียวทุกเช้า", "พี่สาวดื่มอะไร"),
        Asked("การประชุมกับธนาคารคือวันพฤหัสบดี", "ประชุมกับธนาคารวันไหน"),
        Asked("ปีที่แล้วเราย้ายจากเบอร์ลินไปเกียวโต", "เราย้ายไปที่ไหน"),
        Asked("แมวกลัวเสียงฟ้าร้อง", "แมวกลัวอะไร"),
        Asked("ฉันกำลังเรียนไวโอลิน", "ฉันกำลังเรียนอะไร"),
        Asked("โซ่จักรยานเก่าขาด", "จักรยานเป็นอะไร"),
    ],
    "hindi": [
        Asked("मेरी बहन हर सुबह हरी चाय पीती है।", "मेरी बहन क्या पीती है?"),
        Asked("बैंक के साथ बैठक गुरुवार को है।", "बैंक की बैठक कब है?"),
        Asked("हम पिछले साल बर्लिन से क्योटो गए।", "हम बर्लिन से कहाँ गए?"),
        Asked("बिल्ली बिजली से डरती है।", "बिल्ली किससे डरती है?"),
        Asked("मैं वायलिन सीख रहा हूँ।", "मैं क्या सीख रहा हूँ?"),
        Asked("पुरानी साइकिल की चेन टूट गई।", "साइकिल को क्या हुआ?"),
    ],
    "german": [
        Asked("Meine Schwester trinkt jeden Morgen grünen Tee.", "Was trinkt meine Schwester?"),
        Asked("Das Treffen mit der Bank ist am Donnerstag.", "Wann ist das Treffen mit der Bank?"),
        Asked("Letztes Jahr sind wir von Berlin nach Kyoto gezogen.", "Wohin sind wir gezogen?"),
        Asked("Die Katze fürchtet den Donner.", "Was furchtet die Katze?"),
        Asked("Ich lerne Geige spielen.", "Was lerne ich spielen?"),
        Asked("Beim alten Fahrrad ist die Kette gerissen.", "Was ist mit dem Fahrrad?"),
    ],
    "mixed": [
        Asked("Hermes를 다시 시작하면 gateway가 살아나요.", "Hermes 다시 시작"),
        Asked("我用Docker部署了nginx服务。", "Docker部署"),
        Asked("OpenCodeの設定はjsoncで書きます。", "OpenCodeの設定"),
        Asked("ผมใช้Pythonเขียนบอท", "Python เขียนบอท"),
        Asked("Der Fehler steckt im 配置文件 von Redis.", "配置文件 Redis"),
        Asked("ＡＰＩキーは環境変数にある", "APIキー"),
    ],
    "code": [
        Asked("The bug is in readOnceCache, it never expires.", "read once cache bug"),
        Asked("rename apply_change_set before the release", "applyChangeSet"),
        Asked("HTTPServerError comes from retry_with_backoff()", "retry backoff"),
        Asked("set MANYHANDS_DB_PATH in the unit file", "manyhands db path"),
        Asked("ConfigLoaderFactory builds two loaders", "where is ConfigLoader"),
        Asked("parseJsonLines drops the last line", "parse_json_lines"),
    ],
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    """For each script how many questions have their answer first, all of them asked of one index."""
    told = Told()
    for script, past in PAST.items():
        for at, asked in enumerate(past):
            told.session(f"{script}-{at}", asked.said)
    index = index_of(Path(tmp_path_factory.mktemp("languages")), told)
    share = {
        script: sum((texts(index, each.question) or [""])[0] == normal(each.said) for each in past) / len(past)
        for script, past in PAST.items()
    }
    index.close()
    return share


@pytest.mark.parametrize("script", PAST)
def test_a_question_finds_as_well_as_its_english_form(found: dict[str, float], script: str) -> None:
    assert found["english"] >= 5 / 6
    assert found[script] >= found["english"]


@pytest.mark.parametrize(
    "said,asked",
    [("喝茶", "茶"), ("茶を飲む", "茶"), ("ไปตลาด", "ตลาด"), ("prefix getUserById", "UserBy"), ("Häuser", "hauser")],
)
def test_a_piece_of_a_run_or_of_a_name_finds_it(tmp_path: Path, said: str, asked: str) -> None:
    told = Told()
    told.session("s1", said, "something else")
    assert texts(index_of(tmp_path, told), asked)[:1] == [normal(said)]
