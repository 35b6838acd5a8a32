"""Reads the directive in a text: the polarity of its sentences, whether it is an order, and whether it is conditional.

English is read in most detail; other languages by their usual modal verbs. `lead_ins.py` adds the effect of the lines
above an item.
"""

import re
from functools import lru_cache
from typing import Final

from melleafy_tui.core.language.orders_by_language import is_japanese, polarity_by_verb
from melleafy_tui.core.language.wording import sentences
from melleafy_tui.core.lazy_regex import LONGEST_LINE, LONGEST_READ, LazyRegex
from melleafy_tui.core.models.vocabulary import Polarity

IMPERATIVES: Final[frozenset[str]] = frozenset(
    """
    accept access acknowledge act adapt add address adjust adopt aim alert allow always analyse analyze
    announce answer anticipate apologise apologize append apply approve archive arrange ask assess assign
    assume attach attempt audit authenticate automate avoid await back backup bake balance base batch be
    begin block book borrow break brief bring build bump bundle buy cache calculate call cancel capture care
    carry catch change chase chat check choose cite claim clarify classify clean clear click close collect
    combine come comment commit communicate compare compile complete compose compress compute concentrate
    confirm connect consider consolidate consult contact continue contribute convert coordinate copy correct
    count create credit cross-check cross-reference curate cut deal debug decide decline deduplicate default
    defer define delegate delete deliver deploy describe design detect determine develop diagnose dig direct
    disable disclose discuss dispatch display distill distinguish do document double-check download draft
    drop echo edit elaborate email embed employ enable encourage end enforce engage ensure enter enumerate
    err escalate establish estimate evaluate examine exclude execute exercise expand expect expire explain
    explore export express extend extract face fall favor favour fetch figure file fill filter finalise
    finalize find finish fix flag focus follow forget format forward gather generate get give go grab greet
    grep group guard guess guide halt hand handle have help hide hold honor honour hunt identify ignore
    illustrate imagine implement import improve include increase index infer inform ingest initialise
    initialize inject insert inspect install instruct integrate interpret introduce invalidate invent
    investigate invite invoke isolate iterate join jot judge jump justify keep kill know label launch lead
    lean learn leave let leverage limit link list listen load locate lock log look loop lower maintain make
    manage mark match maximise maximize measure mention merge message minimise minimize mirror mix modify
    monitor move mute name narrow navigate negotiate never note notify nudge obey observe offer offload omit
    onboard open opt optimise optimize order organise organize outline output own pack page parse
    participate pass paste patch pause pay perform phone pick pin ping plan point poll post practise praise
    prefer prefix prepare present preserve pretend prevent print prioritise prioritize probe proceed process
    produce promote prompt propose protect prove provide prune publish pull purge push put query question
    queue quit quote raise rank rate re-check re-read re-run reach react read reason reassure rebase rebuild
    recall recap recheck recommend reconcile reconnect record redact reduce refactor refer refine reflect
    refresh refuse regenerate reject relay release reload rely remain remember remind remove rename render
    reopen repeat rephrase replace reply report request require reread rerun research reserve reset resist
    resolve respect respond restart restate restore restrict retain rethink retrieve retry return reuse
    revert review revise rewrite ring roll rotate round route run sanitise sanitize save say scan schedule
    score scrape scrub search secure see select sell send separate serve set share ship shorten show shut
    sign simplify skip solve sort source spawn speak specify spend split stage stand start state stay steer
    step stick strike stop store strip structure study submit suggest summarise summarize supply support surface
    suspend swap sweep switch sync synthesise synthesize tag tail take talk target teach tell tend test
    thank think throttle tidy tie toggle touch track transfer transform translate treat triage trigger trim
    trust try tune turn tweak type understand undo unify unlock unsubscribe update upgrade upload use
    validate vary verify vet view visit wait wake walk warn watch water weigh welcome work wrap write yield
    zip charge chunk cool credit discover force map obey override place register suppress deduct feed heat mail mind open photograph press refund settle
    reimburse spare sum text warm weed
    """.split()  # noqa: SIM905 - a word list is easier to read in one piece
)

FUNCTION_WORDS: Final[frozenset[str]] = frozenset(
    """
    a about after all an and any anyone anything are as at because before both but by can cannot could do does don't
    during each either every everyone everything except first following for from had has have he her here his how if in
    instead into is it it's its itself just last later less like many may me might more most much must my neither next
    no nobody none not nothing now of on once one only or other others our out over own people per please rather same
    second shall she should since so some somebody someone something sometimes still such than that the their them then
    there these they third this those through to too two under unless until up very was we were what when whenever where
    whether which while who whoever whose why will with within without would you your yourself
    """.split()  # noqa: SIM905 - a word list is easier to read in one piece
)

SPEECH_NOUNS: Final = (
    "answers?|repl(?:y|ies)|responses?|messages?|outputs?|tone|voice|style|wording|language|emojis?|formatting|format|"
    "sentences?|words?|paragraphs?|bullets?|bullet points?|markdown|headings?|tables?|greetings?|jargon|filler|"
    "exclamation marks?|sign-?offs?|apolog(?:y|ies)|disclaimers?|preambles?|small talk"
)
"""A pattern of nouns for the agent's own words."""


# ruff: noqa: E501 - a word list is easier to read in one piece


FORGIVEN: Final = LazyRegex(
    r"\b(?:never|do not|don['’]t) (?:forget|hesitate|fail|skip|miss|lose|neglect|be afraid|stop)\b|\bdon['’]t wait (?:for|until|till|to)\b|\bnot only\b|(?:别|別|不要|不)忘|(?:不要|别|別|不必)(?:等|请求许可|請求許可|怕|犹豫|猶豫)|許可(?:は|を)求め(?:ない|ず)|恐れ(?:ない|ず)|\bno (?:olvides|dudes)\b|\bnão (?:esqueça|hesite)\b|\bn['’](?:oublie|hésite) pas\b|\bvergiss nicht\b|не забывай",
    re.IGNORECASE,
)
"""Negations that still give an order."""

_CONDITION_HEAD = r"(?:(?:if|when|whenever|unless|before|after|while|once|until|in|on|at|during|for|with|as)\b[^;:.]{0,160}[,:]\s*)?"
_LEADING_LABEL = r"(?:[^.!?:：]{1,60}[:：]\s*|[^.!?—–]{1,60}\s[—–-]\s+)?"
_FORBIDS = LazyRegex(
    r"^\W*" + _LEADING_LABEL + _CONDITION_HEAD + r"(?:please\s+|you\s+|and\s+|but\s+|just\s+|also\s+)*"
    r"(?!no (?:such\b|[\w-]+(?: [\w-]+){0,2} (?:found|named|detected|available|returned)\b))(?:never\b|do\s?n(?:o|['’])t\b|do not\b|dont\b|avoid\b|must ?n(?:o|['’])?t\b|must not\b|must never\b|should(?:n['’]t| not| never)\b"
    r"|(?:also )?(?:forbidden|prohibited|banned|off[- ]limits|verboten|prohibido|proibido|interdit|запрещено)(?: \([^()]{1,60}\))?\s*[:：]|may not\b|can(?:not|['’]t| not)\b|not to\b|no\s(?!need\b|matter\b|longer\b|problem\b|one\b|exceptions?\b|excuses\b|worries\b|[\w-]+(?:\s[\w-]+){0,2}\s(?:needed|required|necessary)\b)|stop \w+ing\b|refrain\b|under no circumstances\b"
    r"|refuse\b|(?:永远|永遠|千万|千萬|从|從|绝对|絕對|任何时候都)不|不要|不得|不能|不可|禁止|严禁|嚴禁|绝不|絕不|绝对不|切勿|请勿|勿|别(?![人的名处處国國称稱墅])|никогда\b|нельзя\b|не\s|запрещ|ніколи\b|nunca\b|jamás\b|no\s\w+[ae]s?\b|não\b|nao\b"
    r"|jangan\b|dilarang\b|niemals\b|nie\b|keine?\b|ne\s(?:\w+\s)?(?:pas|jamais|plus)\b|no\s\w+(?:ar|er|ir)\b|jamais\b|pas d(?:e\s|[\'’])|nada de\s(?!nov|nuev|import|urgen|relev)|никак(?:ой|ого|их|ие|ая|ое)\s|(?:sem|sin|sans|ohne|без)\s(?:\w+\s)?(?:emojis?|conversa fiada|enrola\w+|rodeos?|floreios?|jarg\w+|tecnicismos|charla|relleno|bavardage|blabla|fioritures|floskeln|small ?talk|fachjargon|фразы|болтовни|воды|эмодзи|жаргона)\b)",
    re.IGNORECASE,
)
_FORBIDS_WITHIN = LazyRegex(
    r"\b(?:must|should|may|will|shall|can)(?:n['’]t| not| never)\b|\bcannot\b|\bcan['’]t\b|\bnever\b|\bnot allowed\b|\b(?:is|are) (?:strictly )?"
    r"(?:\w+ and )?(?:forbidden|prohibited|off[- ]limits|banned|unacceptable)\b|不得|禁止|严禁|嚴禁|絕不|绝不|(?:就|也|都|则|則|请|請|绝对|永远|[里裡中内內上下时時前后後])(?:不要|别(?!人)|不能|不可)|[，,：:]\s*不(?:发|發|说|說|做|用|问|問|写|寫|改|删|刪|推|主动|主動|追问|追問|重复|重複)|してはいけない|しないで|ないでください|нельзя|запрещ|не должен"
    r"|\bnunca|\bjangan|\bdilarang",
    re.IGNORECASE,
)
_FORBIDS_BY_MODAL = LazyRegex(
    r"^(?!\W*(?:si|cuando|se|quando|quand|lorsque|wenn|falls|если|когда)\b).*?(?:\bne (?:dois|doit|devez|doivent|peux|pouvez) (?:\w+ )?(?:pas|jamais|plus|rien)\b|\bno (?:debes?|deben|puedes|se debe)\b|\bnão (?:deve[ms]?|pode[ms]?)\b"
    r"|\b(?:darf(?:st)?|dürf(?:en|t)|soll(?:st|te|test|en|ten)?)\s(?:\S+\s){0,5}?(?:nicht|nie(?:mals)?|kein\w*)\b|\bне (?:должны|должна|следует)\b)",
    re.IGNORECASE,
    longest=LONGEST_READ,
)
"""A modal verb with its negation, in languages other than English; one in a condition says when, not what."""
_PERMITS = LazyRegex(
    r"^\W*"
    + _LEADING_LABEL
    + _CONDITION_HEAD
    + r"(?:you|the agent|the assistant|i)?\s*(?:\b|(?=['’]))(?:(?:may|can|could)(?!['’]t| not| never| only|not)\b(?=\s\w)"
    r"|(?:are|is|['’]re) (?:free|allowed|welcome|permitted) to\b|feel free\b|free to\b|(?:it['’]?s |it is )?(?:ok|okay|fine|safe|allowed) to\b"
    r"|no need to\b|optionally\b|可以|允许|可自由|можно\b|можешь\b|puedes\b|podes\b|pode\b|boleh\b)",
    re.IGNORECASE,
    longest=LONGEST_READ,
)
BUT: Final = LazyRegex(
    r"[,;，；]?\s*(?:\b(?:but|yet|though)\b|(?:但是?|不过|不過|然而)|ただし|\b(?:pero|mas|mais|aber)\b|\bно\b)\s*(?:please |you |it |also )?"
    r"(?:(?:never|not|cannot|can['’]?t|must ?n(?:o|['’])t|must not|may not|do not|don['’]t|no)\b|不|禁止|严禁|嚴禁|勿|(?:nunca|no|não|jamais|nie|niemals|nicht|никогда|не)\b"
    r"|(?P<only>only\b|ask\b|(?:只|仅|僅|必须|必須|需要?|要先|先)))",
    re.IGNORECASE,
)
"""Where a permission ends in what it doesn't permit ("read it, but never change it"), or in a bound (`only`)."""

_MAY_LACK = LazyRegex(
    r"\b(?:may|can) (?:also )?(?:leave out|omit|skip|lack|be (?:left out|omitted|skipped|missing|absent))\b"
    r"|\b(?:may|can) (?:\w+ ){1,3}?without (?:asking|approval|permission|confirmation)\b",
    re.IGNORECASE,
)
"""What something may do without: left out of a reply it breaks nothing, unasked it needs no approval."""

_OBLIGES = LazyRegex(
    r"\b(?:needs?|requires?|require) (?:\w+ ){0,2}?(?:approval|permission|confirmation|consent|sign-?off)\b"
    r"|^(?:спроси|проверь|проверяй|отвечай|пиши|используй|читай|сохраняй|обновляй|сообщи|предупреди|избегай)(?:те)?\b"
    r"|^(?:pregunta|pregunte|pergunte|confirma|confirme|revisa|revise|verifica|verifique|comprueba|responde|responda|usa|evita|evite|avisa|avise|escribe|escreva|lee|leia|mantén|mantenha)\b"
    r"|^(?:询问|问(?!题|題))|[，,]用|\b(?:must|always|should|shall|need(?:s|ed)? to|ha(?:ve|s) to|required to|is required|(?<!to )ensure|(?<!to )make sure|be sure|ought to|only use)\b"
    r"|\bне (?:длиннее|больше|более) \d|不超过|控制在|^(?:请|先|再|始终|永远|优先|尽量|尽快|及时|立即|主动|保持|使用|检查|查看|读取|阅读|更新|记录|回复|回答|确认|遵守|尊重|遇到|收到|每日|定期)(?!(?-i:[\u3040-\u30ff\u3400-\u9fff]){0,8}[はがの])|必须|必須|务必|務必|应该|应当|(?<!唔)應該|总是|總是|一定要|确保|確保|每次|请|請|[，,](?:先|请|就|则|要|应|立即|马上|通知|拒绝|拒絕)|(?:^|[时時后後前，,])先(?!前|生|后|後|进|進|例).{1,40}|需要|ください|すること|必ず|обязательно|всегда|сначала|сразу|нужно|должен|следует|завжди"
    r"|\bsiempre\b|\bdebe[ns]?\b|\bhay que\b|\bsempre\b|\bdeve[ms]?\b|\bharus\b|\bselalu\b|\bwajib\b|\btoujours\b|\bdoi[st]\b|\bimmer\b|\bm(?:uss|üssen)\b|반드시|항상|하세요",
    re.IGNORECASE,
)
_CONDITION = LazyRegex(
    r"(?:^|[\s(,;:—–-])(?:if|when|whenever|unless|before|after|until|once|as soon as|in case|except when)\s+\S"
    r"|先.{1,30}再|如果|当.{1,30}[时時]|當.{1,30}[時时]|除非|之前|之后|以前|以后|の場合|たら|する前|если\b|когда\b|перед\b|после\b|якщо\b|\bsi\s|\bcuando\b|\bantes de\b"
    r"|\bquando\b|\bse\s|\bjika\b|\bapabila\b|\bsebelum\b|\bwenn\b|\bbevor\b|\blorsque\b|\bavant de\b|만약|경우",
    re.IGNORECASE,
)
_AFTER_CONDITION = re.compile(
    r"(?:if|when|whenever|unless|before|after|while|once|until|in|on|at|during|for|to|as|over|by|upon|from|throughout|every|each|with)\b"
    r"[^,→]{1,200}?(?:,|→|->|=>)\s*(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
_BEFORE_DASH = LazyRegex(r"([^.!?—–]{1,60})\s[—–]\s")
"""What a prohibition after a dash adds to ("Call Ana at once — do not wait")."""
_LABEL: Final = re.compile(r"[^.!?:：—–]{1,80}(?:[:：]|\s(?:[—–-]|→|->|=>))\s+(?P<rest>.+)", re.DOTALL)
_QUOTED_SUBJECT = LazyRegex(r"\W*[\"“«][^\"”»]{1,200}[\"”»]\s+(?:is|are|was|means)\b", re.IGNORECASE)
CROSS: Final = LazyRegex(r"\W{0,4}(?:[❌🚫⛔✗✘✖]\ufe0f?)\s*")
TICK: Final = LazyRegex(r"\W{0,4}(?:[✅✔✓☑]\ufe0f?)\s*")
"""Marks that act as orders: a cross forbids the text after it, a tick recommends it."""
_CODE_SUBJECT = LazyRegex(r"\W*`|[\w./-]+\.[A-Za-z]\w{0,4}\b")
"""A code span or file name at the start of a sentence, which is never a verb."""
_SUBORDINATE = re.compile(r"\b(?:that|which|who|what|whose|because|since|so that)\b", re.IGNORECASE)
MOST_SENTENCES: Final = 4
"""The number of sentences that are searched for an order."""

LONGEST_LABEL: Final = 4
"""Maximum words in a first sentence that only names the topic of the next one ("Tests first. No code without tests.")."""

_FIRST_WORDS = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_STATES: Final = frozenset(
    {"is", "are", "was", "were", "has", "had", "means", "contain", "contains", "lives", "live"}
)
_ADVERBS: Final = frozenset(
    {"always", "please", "then", "also", "first", "next", "finally", "only", "instead", "just", "immediately", "briefly",
     "proactively", "actively", "carefully", "quickly", "regularly", "periodically", "now", "lastly", "second", "third",
     "silently", "and", "or", "but", "so", "explicitly", "clearly", "simply", "occasionally", "automatically"}
)  # fmt: skip


_VERBS_AND_ADVERBS: Final = IMPERATIVES | _ADVERBS


@lru_cache(maxsize=256)  # an item's words are read alone, with the lead-in and for its list
def polarity_of(text: str) -> Polarity:
    """Return the polarity of a text on its own: that of its first sentence, else of the first later one that orders."""
    text = text[:LONGEST_LINE]
    if CROSS.match(text):
        return Polarity.FORBIDS
    if TICK.match(text):
        text = TICK.sub("", text, count=1)
    first, *later = sentences(text)[:MOST_SENTENCES] or ("",)
    polarity = _sentence_polarity(first)
    if polarity is not Polarity.DESCRIBES:
        return polarity
    ordered = next(
        (found for found in map(_sentence_polarity, later) if found is not Polarity.DESCRIBES), polarity
    )
    if ordered is Polarity.FORBIDS and len(first.split()) > LONGEST_LABEL:
        return Polarity.OBLIGES
    return ordered


def _sentence_polarity(sentence: str) -> Polarity:
    if FORGIVEN.search(sentence):
        return Polarity.OBLIGES
    if _QUOTED_SUBJECT.match(sentence):
        return Polarity.DESCRIBES
    if _FORBIDS.match(sentence):
        head = _BEFORE_DASH.match(sentence)
        return Polarity.OBLIGES if head and is_imperative(head[1]) else Polarity.FORBIDS
    if _PERMITS.match(sentence):
        bound = BUT.search(sentence)
        if bound is None:
            return Polarity.PERMITS
        return Polarity.OBLIGES if bound["only"] else Polarity.FORBIDS
    if is_imperative(sentence):
        found = polarity_by_verb(sentence) if is_japanese(sentence) else Polarity.OBLIGES
        return found if found is Polarity.FORBIDS else Polarity.OBLIGES
    main_clause = _SUBORDINATE.split(sentence, maxsplit=1)[0]
    if _MAY_LACK.search(main_clause):
        return Polarity.PERMITS
    if _FORBIDS_WITHIN.search(main_clause) or _FORBIDS_BY_MODAL.match(main_clause):
        return Polarity.FORBIDS
    if _OBLIGES.search(main_clause):
        return Polarity.OBLIGES
    return polarity_by_verb(sentence)


def is_imperative(text: str) -> bool:
    """Return whether a sentence starts with a verb in the imperative, also after a label or a condition."""
    if _opens_with_verb(text):
        return True
    label = _LABEL.match(text)
    if label and _orders(label["rest"]):
        return True
    return _orders(text)


def _orders(text: str) -> bool:
    """Return whether a text starts with a verb in the imperative, also after a condition."""
    if _opens_with_verb(text):
        return True
    condition = _AFTER_CONDITION.match(text)
    return bool(condition and _opens_with_verb(condition["rest"]))


def has_condition(text: str) -> bool:
    """Return whether a text is conditional."""
    return bool(_CONDITION.search(text))


def _opens_with_verb(text: str) -> bool:
    opening = _FIRST_WORDS.search(text, 0, 160)
    if (
        opening is None
        or text.startswith("<")
        or opening[0].casefold() not in _VERBS_AND_ADVERBS
        or _CODE_SUBJECT.match(text)
    ):
        return False
    words = _FIRST_WORDS.findall(text[:160])
    while len(words) > 1 and words[0].casefold() in _ADVERBS:
        if words[0].casefold() == "always":
            return True
        words = words[1:]
    if words[0].casefold() not in IMPERATIVES or _is_label_or_trait(words[0], text):
        return False
    return not _is_subject([word.casefold() for word in words[1:3]])


_TRAITS: Final = frozenset(
    {"direct", "open", "clear", "clean", "warm", "cool", "correct", "complete", "separate"}
)
"""Verbs that are adjectives, too."""


def _is_trait(word: str, text: str) -> bool:
    """Return whether a text's first verb is one of several traits ("Direct, calm, dry")."""
    return word.casefold() in _TRAITS and text.lstrip("*_`\"' ").startswith(f"{word}, ")


def _is_label_or_trait(word: str, text: str) -> bool:
    return _is_label(word, text) or _is_trait(word, text)


def _is_label(word: str, text: str) -> bool:
    """Return whether a text's first verb is a label ("Check: …")."""
    bare = text.lstrip("*_`\"' ")
    if not any(mark in bare for mark in ":：|"):
        return False
    return bool(re.match(rf"(?:\w+\s+)?{re.escape(word)}\s*[:：|](?!\s*[\"“])", bare, re.IGNORECASE))


def _is_subject(following: list[str]) -> bool:
    """Return whether the words after a verb make it a noun ("Test results are here"), which has its verb later."""
    if following and following[0] in _STATES:
        return True
    return len(following) == 2 and following[1] in _STATES and following[0] not in FUNCTION_WORDS
