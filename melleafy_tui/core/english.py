"""English word lists that tell an order from a description: verbs that open an imperative, and function words."""

# ruff: noqa: E501 - a word list is easier to read in one piece

from typing import Final

IMPERATIVES: Final[frozenset[str]] = frozenset(
    """
    accept access acknowledge act adapt add address adjust adopt aim alert allow always analyse analyze announce answer
    anticipate apologise apologize append apply approve archive ask assess assign assume attach audit authenticate
    automate avoid await back backup balance base batch be begin block book break brief bring build bump bundle cache
    calculate call cancel capture care carry catch change chat check choose cite claim clarify classify clean clear
    click close collect combine come comment commit communicate compare compile complete compose compress compute
    confirm connect consider consolidate consult contact continue contribute convert coordinate copy correct count
    create credit cross-check curate cut debug decide decline deduplicate default defer define delegate delete deliver
    deploy describe design detect determine develop diagnose direct disable disclose discuss dispatch display distill
    distinguish do document double-check download draft drop edit email embed enable encourage end enforce engage ensure
    enter enumerate err escalate establish estimate evaluate examine exclude execute exercise expand expect explain
    explore export express extend extract face fetch figure file fill filter finalise finalize find finish fix flag
    focus follow forget format forward generate get give go greet group guard guess guide handle have help hide hold
    honor honour identify ignore imagine implement import improve include increase index infer inform ingest initialise
    initialize insert inspect install integrate interpret introduce invalidate invent investigate invite invoke iterate
    join judge jump justify keep kill know label launch lead learn leave let limit link list listen load locate lock log
    look loop maintain make manage mark match maximise maximize measure mention merge message minimise minimize mirror
    modify monitor move mute name narrow navigate nudge never note notify obey observe offer omit open optimise optimize order
    organise organize outline output own page parse participate pass paste pause perform pick pin ping plan point poll post
    praise prefer prefix prepare present preserve prevent print prioritise prioritize proceed process produce promote
    prompt propose protect prove provide prune publish pull purge push put query question queue quote raise rank rate
    re-check re-read re-run reach react read reason rebase recall recap recheck recommend record redact reduce refactor
    refer refine reflect refresh refuse regenerate reject release rely remain remember remind remove rename render reopen
    repeat rephrase replace reply report request require reread rerun research reset resist resolve respect respond
    restart restate restore retain retrieve retry return reuse revert review revise rewrite roll rotate round route run
    sanitise sanitize save say scan schedule score scrub search secure see select send separate serve set share ship
    show sign simplify skip sort source speak specify spend split stage stand start state stay step stick stop store
    strip structure study submit suggest summarise summarize supply support surface suspend switch sync synthesise
    synthesize tag tail take talk target teach tell test think throttle tie toggle track transfer transform translate
    treat triage trigger trim trust try turn type understand undo unlock unsubscribe update upgrade upload use validate
    vary verify view visit wait walk warn watch water weigh welcome work wrap write zip
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
"""Nouns for the agent's own words, as a pattern."""
