"""Formats of secrets: vendors' tokens, labelled fields, connection strings, and look-alikes that aren't secret."""

import re
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex


def _literals(words: str) -> tuple[str, ...]:
    """Return literals such that every match of a word pattern contains one of them."""
    plain = re.sub(r"\(\?<?[!=].*?\)|\[.*?\]\??", "\n", words)
    found: list[str] = []
    for parts in sorted(
        (part.split() for part in plain.split("|")), key=lambda parts: (len(parts), len(parts[0]))
    ):
        if not any(mark in part for mark in found for part in parts):
            found.append(max(parts, key=len))
    return tuple(found)


TOKEN_FORMS: Final = (
    ("Anthropic key", "ANTHROPIC_API_KEY", r"sk-ant-[A-Za-z0-9_-]{20,}"),
    ("OpenRouter key", "OPENROUTER_API_KEY", r"sk-or-(?:v1-)?[A-Za-z0-9_-]{20,}"),
    ("API key", "OPENAI_API_KEY", r"sk-(?:proj-|svcacct-)?(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{20,}"),
    ("GitHub token", "GITHUB_TOKEN", r"github_pat_[A-Za-z0-9_]{22,}"),
    ("Google key", "GOOGLE_API_KEY", r"AIza[A-Za-z0-9_-]{35}"),
    ("Google OAuth secret", "GOOGLE_CLIENT_SECRET", r"GOCSPX-[A-Za-z0-9_-]{20,}"),
    ("Hugging Face token", "HF_TOKEN", r"hf_[A-Za-z0-9]{30,}"),
    ("JSON web token", "JWT_TOKEN", r"eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*)?"),
    ("npm token", "NPM_TOKEN", r"npm_[A-Za-z0-9]{36}"),
    ("Notion token", "NOTION_TOKEN", r"(?:ntn|secret)_[A-Za-z0-9]{40,}"),
    ("Slack token", "SLACK_TOKEN", r"xapp-\d-[A-Z0-9]{6,}-\d{6,}-[a-z0-9]{20,}|xox[a-z]-[A-Za-z0-9-]{20,}"),
    ("Stripe key", "STRIPE_API_KEY", r"(?:[rs]k_test_|whsec_)[A-Za-z0-9]{20,}"),
    ("Discord token", "DISCORD_BOT_TOKEN", r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,42}"),
    ("Telegram token", "TELEGRAM_BOT_TOKEN", r"(?:\bbot)?(?P<value>\d{8,10}:AA[\w-]{32,34})"),
    ("DigitalOcean token", "DIGITALOCEAN_TOKEN", r"do[opr]_v1_[a-f0-9]{64}"),
    ("Shopify token", "SHOPIFY_TOKEN", r"shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{32}"),
    ("Vault token", "VAULT_TOKEN", r"hv[bsr]\.[A-Za-z0-9_-]{24,}"),
    ("Tavily key", "TAVILY_API_KEY", r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,}"),
    ("Mailgun key", "MAILGUN_API_KEY", r"key-[0-9a-f]{32}"),
    ("Airtable token", "AIRTABLE_TOKEN", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    ("Linear key", "LINEAR_API_KEY", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    ("Doppler token", "DOPPLER_TOKEN", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{40,}"),
    ("Tailscale key", "TAILSCALE_KEY", r"tskey-[a-z]+-[A-Za-z0-9-]{16,}"),
    ("Replicate token", "REPLICATE_API_TOKEN", r"r8_[A-Za-z0-9]{37}"),
    ("Perplexity key", "PERPLEXITY_API_KEY", r"pplx-[A-Za-z0-9]{40,}"),
    ("Supabase token", "SUPABASE_ACCESS_TOKEN", r"sb[ps]_[a-z0-9_]{36,}"),
    ("xAI key", "XAI_API_KEY", r"xai-[A-Za-z0-9]{40,}"),
    ("Groq key", "GROQ_API_KEY", r"gsk_[A-Za-z0-9]{40,}"),
    ("Age key", "AGE_SECRET_KEY", r"AGE-SECRET-KEY-1[A-Z0-9]{50,}"),
    ("AWS Access Key", "AWS_ACCESS_KEY", r"(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA)[0-9A-Z]{16}"),
    (
        "AWS Access Key",
        "AWS_ACCESS_KEY",
        r"(?i:[^\W_]{0,40}aws.{0,20}?(?:key|pwd|pw|password|pass|token).{0,20}?[\'\"](?P<value>[0-9a-zA-Z/+]{40})[\'\"])",
    ),
    ("Azure Storage Account access key", "AZURE_STORAGE_KEY", r"AccountKey=[a-zA-Z0-9+/=]{88}"),
    (
        "Discord Bot Token",
        "DISCORD_BOT_TOKEN",
        r"[MNO][a-zA-Z\d_-]{23,25}\.[a-zA-Z\d_-]{6}\.[a-zA-Z\d_-]{27}",
    ),
    ("GitHub Token", "GITHUB_TOKEN", r"gh[oprsu]_[A-Za-z0-9_]{36}"),
    (
        "GitLab Token",
        "GITLAB_TOKEN",
        r"(?:(?:glpat|gldt|glft|glsoat|glrt)-|GR1348941)[A-Za-z0-9_-]{20,50}(?!\w)",
    ),
    ("GitLab Token", "GITLAB_TOKEN", r"glcbt-(?:[0-9a-fA-F]{2}_)?[A-Za-z0-9_-]{20,50}(?!\w)"),
    ("GitLab Token", "GITLAB_TOKEN", r"(?:glimt-[A-Za-z0-9_-]{25}|glptt-[A-Za-z0-9_-]{40})(?!\w)"),
    ("GitLab Token", "GITLAB_TOKEN", r"(?:glagent-[A-Za-z0-9_-]{50,1024}|gloas-[A-Za-z0-9_-]{64})(?!\w)"),
    ("Mailchimp Access Key", "MAILCHIMP_API_KEY", r"[0-9a-z]{32}-us[0-9]{1,2}"),
    ("OpenAI Token", "OPENAI_API_KEY", r"sk-[A-Za-z0-9-_]*[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}"),
    ("PyPI Token", "PYPI_TOKEN", r"pypi-(?:AgEIcHlwaS5vcmc|AgENdGVzdC5weXBpLm9yZw)[A-Za-z0-9-_]{70,}"),
    ("SendGrid API Key", "SENDGRID_API_KEY", r"SG\.[a-zA-Z0-9_-]{22}\.[a-zA-Z0-9_-]{43}"),
    ("Slack Token", "SLACK_TOKEN", r"(?i:xox[abposr]-(?:\d+-)+[a-z0-9]+)"),
    (
        "Slack Token",
        "SLACK_TOKEN",
        r"(?i:https://hooks\.slack\.com/services/T[a-zA-Z0-9_]+/B[a-zA-Z0-9_]+/[a-zA-Z0-9_]+)",
    ),
    ("Square OAuth Secret", "SQUARE_OAUTH_SECRET", r"sq0csp-[0-9A-Za-z\\_-]{43}"),
    ("Stripe Access Key", "STRIPE_API_KEY", r"[rs]k_live_[0-9a-zA-Z]{24}"),
    ("Telegram Bot Token", "TELEGRAM_BOT_TOKEN", r"\d{8,10}:[0-9A-Za-z_-]{35}"),
    ("Twilio API Key", "TWILIO_API_KEY", r"(?:AC|SK)[a-z0-9]{32}"),
)
"""Kind, environment variable and format of tokens that vendors document; a group `value` marks the secret itself."""

TOKEN: Final = LazyRegex(
    r"(?<![^\W_])(?:" + "|".join(form.replace("(?P<value>", "(?:") for _, _, form in TOKEN_FORMS) + ")"
)
"""All token formats combined; none starts inside a word."""

KEY_BLOCK: Final = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d")
KEY_BLOCK_END: Final = re.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: *\S+")
CONNECTION: Final = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]{1,20})://[^\s:/@\"'<>]{0,100}:(?P<value>[^\s/@\"'<>]{3,200})@[^\s/]"
)
PASSWORD_WORDS: Final = (
    r"passwor[dt]|passwd|passphrase|passcode|(?<![a-z])pwd|(?<![a-z])pass(?![a-z])|contrase[ñn]a|senha|mot de passe"
    r"|kennwort|wachtwoord|hasło|şifre|비밀번호"
    r"|пароль|密码|密碼|口令|パスワード"
)
TOKEN_WORDS: Final = (
    r"api[_ -]?key|access[_ -]?key|auth[_ -]?key|private[_ -]?key|client[_ -]?key|service[_ -]?key|license[_ -]?key"
    r"|signing[_ -]?key|encryption[_ -]?key|webhook[_ -]?key|secret|token|credential|bearer|cookie"
    r"|(?<![a-z])key(?![a-z])"
    r"|密钥|密鑰|令牌|токен|ключ"
)
LABEL_MARKS: Final = _literals(f"{PASSWORD_WORDS}|{TOKEN_WORDS}")
"""Every label contains one of these, in lower case."""

PASSWORD_LABEL: Final = LazyRegex(PASSWORD_WORDS, re.IGNORECASE)
SECRET_LABEL: Final = LazyRegex(rf"{PASSWORD_WORDS}|{TOKEN_WORDS}", re.IGNORECASE)

ASIDE: Final = r"[ \t](?:\([^()\n]{1,30}\)|(?:for|of|to|on|für|zum|zur|vom|von|de|del|du)[ \t][\w' -]{1,30}?)"
"""Text allowed between a label and its colon: "password (staging):", "password for the printer:"."""

VERBS: Final = r"lautet|ist|est|es|è|é|jest"
"""Words for "is" in other languages; an adjective or a password may follow."""

FIELD: Final = re.compile(
    rf"(?P<word>(?P<password>{PASSWORD_WORDS})|(?:{TOKEN_WORDS}))(?P<rest>[A-Za-z0-9_]{{0,24}})"
    rf"(?:{ASIDE}(?=[ \t]?[:：=]|[ \t](?:is|{VERBS})[ \t]))?"
    r"(?P<joint>[\"'`*_)\]]{0,4}[ \t]{0,4}"
    rf"(?:=>|->|:=|==?|[:：|→＝]|\b(?:is|{VERBS})\b|是|为|為)?(?:[*_`]{{1,3}}[ \t])?"
    r"[ \t]{0,4})"
    r"(?P<open>[\"'`*_]{0,4})"
    r"(?P<value>[^\s\"'`|<>，。；]{6,300})(?P<close>[\"'`*_,;.)\]}|]*)(?P<after>[ \t]*)",
    re.IGNORECASE,
)
CODE_WORDS: Final = (
    r"(?<![^\W_])pin(?:[- ]?(?:code|number|nummer))?(?![^\W_])"
    r"|(?:access|alarm|building|door|entry|garage|gate|keypad|lock|safe|security|unlock)[ -]code"
    r"|(?<![^\W_])code[ ](?:for|of|to)[ ](?:(?:the|our|my)[ ])?"
    r"(?:alarm|building|door|garage|gate|house|lock|office|safe)"
    r"|(?:alarm|garagen|safe|tor|t[üu]r|zugangs)-?code"
    r"|(?<![^\W_])code[ ](?:für|zu|zum|zur)[ ](?:(?:das|den|der|die)[ ])?"
    r"[\w-]{0,16}(?:alarm|eingang|fach|garage|haus|keller|safe|schloss|tor|tresor|tür)\w{0,8}"
    r"|(?<![^\W_])code[ ](?:pin|d['’](?:accès|alarme|entrée)|de[ ](?:la[ ])?porte|du[ ]portail)|digicode"
    r"|(?<![^\W_])c[óo]digo[ ]de(?:l|[ ]la)?[ ](?:acceso|alarma|caja|entrada|garaje|port[óo]n|puerta)"
)
CODE_MARKS: Final = ("pin", "code", "digo")
"""Every word above contains one of these, in lower case."""

CODE: Final = LazyRegex(
    rf"(?P<word>{CODE_WORDS})"
    rf"(?:{ASIDE})?[\"'`*_)\]]{{0,4}}[ \t]{{0,4}}"
    rf"(?:(?P<joint>=>|->|:=|==?|[:：|→＝]|(?:is|{VERBS})\b|是|为|為)[*_`]{{0,3}}[ \t]{{0,4}}|[ \t]{{1,4}})"
    r"[\"'`*_]{0,4}(?P<value>[0-9]{4,12})(?![\w%€$]|[-.,:/]\w)",
    re.IGNORECASE,
)
"""Digits that open a door or unlock a device; other codes are ordinary numbers."""

CODE_DIGITS: Final = re.compile(r"(?<![A-Za-z0-9])[0-9]{4}")
"""The start of the digits; checked first, since many lines contain a marker."""

AUTHORIZATION: Final = LazyRegex(
    r"authorization[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"'`]?(?P<scheme>basic|bearer|token|apikey)[ \t]+"
    r"(?P<value>[^\s\\\"'`<>|,;]{8,600})",
    re.IGNORECASE,
)
COMMAND_OPTION: Final = re.compile(
    r"\bsshpass[ \t]+-p[ \t]*(?P<ssh>[^\s\"'`|<>]{6,100})"
    r"|\b(?:curl|wget|http)\b[^\n|]{0,200}?[ \t](?:-u|--user)[ =][\"']?[\w.@%+-]{1,64}:(?P<user>[^\s\"'`|<>]{6,200})"
)
"""Command options that take a password."""

IDENTIFIER: Final = re.compile(
    r"(?:acct|asst|call|ch|chatcmpl|cus|evt|file|in|msg|org|pi|pk|pk_live|pk_test|pm|price|prod|proj|re|req|resp|run|seti"
    r"|sub|thread|toolu|txn|user)_|sha-?\d{1,3}-"
    r"|iVBORw0KGgo|R0lGOD|/9j/|UklGR|PHN2Zy|AAAA[A-Z]3NzaC1"
)
"""Prefixes of public values: ids and publishable keys of services, checksums, images and public keys in base64."""

BARE: Final = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
NO_SECRET_LABEL: Final = re.compile(
    r"public|sha-?\d*|hash|digest|checksum|fingerprint|integrity|commit|uuid|\bid\b|_id|keyid|idempotency|keyboard"
    r"|max|count|limit|usage|budget|\b(?:primary|foreign|cache|sort|partition|index) key|tokens$|tokenizer|tokeni[sz]e"
    r"|keyword|session[_ ]?key",
    re.IGNORECASE,
)
BEFORE_BARE: Final = re.compile(
    r"(?:sha-?\d{1,3}|md5|hash|digest|checksum|fingerprint|integrity|commit|etag|base64|ssh-\w+|ecdsa\S*)\W{0,4}\Z",
    re.IGNORECASE,
)
