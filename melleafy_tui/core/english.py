"""English word lists that tell an order from a description: verbs that open an imperative, and function words."""

from typing import Final

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
    zip charge cool credit deduct feed heat mail mind open photograph press refund settle
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
"""Nouns for the agent's own words, as a pattern."""
