"""Formats of tokens and of addresses that are secrets, by provider.

Sources: `g` the rules of gitleaks of 2026-07-22, `d` those of detect-secrets of 2026-04-02, `v` the provider's own
documentation. The formats are facts; no rule is copied. No library is used: detect-secrets brings four packages with it
and knows 20 of these, gitleaks is a Go program.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from melleafy_tui.core.source.secrets.forms import is_placeholder
from melleafy_tui.core.source.secrets.spans import SecretSpan, compiled, variable_before

# fmt: off
TOKENS: Final = (
    ("g", "sk-ant-", "Anthropic key", "ANTHROPIC_API_KEY", r"sk-ant-[A-Za-z0-9_-]{20,}"),
    ("v", "sk-or-", "OpenRouter key", "OPENROUTER_API_KEY", r"sk-or-(?:v1-)?[A-Za-z0-9_-]{20,}"),
    ("v", "sk-lf-", "Langfuse key", "LANGFUSE_SECRET_KEY", r"sk-lf-[0-9a-f-]{30,}"),
    ("d", "sk-", "OpenAI Token", "OPENAI_API_KEY", r"sk-[A-Za-z0-9-_]{0,200}[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}"),
    ("g", "sk-", "API key", "OPENAI_API_KEY",
     r"sk-(?:proj-|svcacct-|admin-|None-)?(?=[A-Za-z_-]{0,200}[0-9])[A-Za-z0-9_-]{20,}"),
    ("v", "sk-", "API key", "API_KEY", r"sk-[a-z]{40,}(?![\w-])"),
    ("v", "SEC", "DingTalk signing secret", "DINGTALK_SECRET", r"SEC[0-9a-f]{64}"),
    ("v", "sk_", "ElevenLabs key", "ELEVENLABS_API_KEY", r"sk_[a-f0-9]{40,}"),
    ("v", "sk_", "Clerk or Stripe key", "SECRET_KEY", r"sk_(?:prod|live|test)_[A-Za-z0-9]{16,}"),
    ("g", "github_pat_", "GitHub token", "GITHUB_TOKEN", r"github_pat_[A-Za-z0-9_]{22,}"),
    ("g", "gho_ ghp_ ghr_ ghs_ ghu_", "GitHub Token", "GITHUB_TOKEN", r"gh[oprsu]_[A-Za-z0-9_]{36,}"),
    ("g", "AIza", "Google key", "GOOGLE_API_KEY", r"AIza[A-Za-z0-9_-]{35}"),
    ("v", "AQ.Ab", "Google key", "GOOGLE_API_KEY", r"AQ\.Ab[A-Za-z0-9_-]{30,}"),
    ("v", "GOCSPX-", "Google OAuth secret", "GOOGLE_CLIENT_SECRET", r"GOCSPX-[A-Za-z0-9_-]{20,}"),
    ("v", "ya29. 1//0", "Google OAuth token", "GOOGLE_TOKEN", r"ya29\.[A-Za-z0-9_-]{20,}|1//0[A-Za-z0-9_-]{30,}"),
    ("g", "hf_ api_org_", "Hugging Face token", "HF_TOKEN", r"(?:hf|api_org)_[A-Za-z0-9]{30,}"),
    ("d", "eyJ", "JSON web token", "JWT_TOKEN", r"eyJ[A-Za-z0-9_-]{10,}+\.[A-Za-z0-9_-]{10,}+(?:\.[A-Za-z0-9_-]*)?"),
    ("g", "npm_", "npm token", "NPM_TOKEN", r"npm_[A-Za-z0-9]{36}"),
    ("g", "ntn_ secret_", "Notion token", "NOTION_TOKEN", r"(?:ntn|secret)_[A-Za-z0-9]{40,}"),
    ("g", "xapp- xox", "Slack token", "SLACK_TOKEN",
     r"xapp-\d-[A-Z0-9]{6,}-\d{6,}-[a-z0-9]{20,}|xoxe\.xox[bp]-\d-[A-Za-z0-9-]{20,}|xox[a-z]-[A-Za-z0-9-]{20,}"),
    ("g", "k_live_ k_test_ k_prod_ whsec_", "Stripe key", "STRIPE_API_KEY",
     r"(?:[rs]k_(?:test|live|prod)_|whsec_)[A-Za-z0-9+/=]{16,}"),
    ("d", "", "Discord token", "DISCORD_BOT_TOKEN",
     r"(?:mfa\.[\w-]{80,}|[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,42})"),
    ("d", "", "Telegram token", "TELEGRAM_BOT_TOKEN",
     r"(?:\bbot)?(?P<value>\d{8,10}:(?:AA[\w-]{32,34}|[0-9A-Za-z_-]{35}))"),
    ("g", "_v1_", "DigitalOcean token", "DIGITALOCEAN_TOKEN", r"do[opr]_v1_[a-f0-9]{64}"),
    ("g", "shp", "Shopify token", "SHOPIFY_TOKEN", r"shp(?:at|ca|pa|ss|tka|ua)_[a-fA-F0-9]{32}"),
    ("g", "hvb. hvs. hvr.", "Vault token", "VAULT_TOKEN", r"hv[bsr]\.[A-Za-z0-9_-]{24,}"),
    ("v", "tvly-", "Tavily key", "TAVILY_API_KEY", r"tvly-(?:dev-|prod-)?[A-Za-z0-9-]{20,}"),
    ("v", "fc- fw_", "Exa, Firecrawl or Fireworks key", "API_KEY", r"f(?:c-[a-f0-9]{32}|w_[A-Za-z0-9]{20,})"),
    ("g", "key-", "Mailgun key", "MAILGUN_API_KEY", r"key-[0-9a-f]{32}"),
    ("g", "", "Mailgun key", "MAILGUN_API_KEY", r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}"),
    ("g", "pat", "Airtable token", "AIRTABLE_TOKEN", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    ("g", "lin_", "Linear key", "LINEAR_API_KEY", r"lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,}"),
    ("g", "dp.", "Doppler token", "DOPPLER_TOKEN", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{40,}"),
    ("v", "tskey-", "Tailscale key", "TAILSCALE_KEY", r"tskey-[a-z]+-[A-Za-z0-9-]{16,}"),
    ("v", "r8_", "Replicate token", "REPLICATE_API_TOKEN", r"r8_[A-Za-z0-9]{37,}"),
    ("g", "pplx-", "Perplexity key", "PERPLEXITY_API_KEY", r"pplx-[A-Za-z0-9]{40,}"),
    ("v", "sbp_ sbs_ sb_secret_", "Supabase token", "SUPABASE_ACCESS_TOKEN",
     r"sb[ps]_[a-z0-9_]{36,}|sb_secret_[A-Za-z0-9_-]{20,}"),
    ("v", "xai-", "xAI key", "XAI_API_KEY", r"xai-[A-Za-z0-9]{40,}"),
    ("v", "gsk_", "Groq key", "GROQ_API_KEY", r"gsk_[A-Za-z0-9]{40,}"),
    ("v", "nvapi-", "NVIDIA key", "NVIDIA_API_KEY", r"nvapi-[A-Za-z0-9_-]{40,}"),
    ("v", "csk-", "Cerebras key", "CEREBRAS_API_KEY", r"csk-[a-z0-9]{30,}"),
    ("v", "lsv2_ ls__", "LangSmith key", "LANGSMITH_API_KEY", r"ls(?:v2_(?:pt|sk)_|__)[A-Za-z0-9_]{30,}"),
    ("v", "pcsk_", "Pinecone key", "PINECONE_API_KEY", r"pcsk_[A-Za-z0-9_]{30,}"),
    ("v", "jina_", "Jina key", "JINA_API_KEY", r"jina_[A-Za-z0-9_-]{30,}"),
    ("v", "pa-", "Voyage key", "VOYAGE_API_KEY", r"pa-[A-Za-z0-9_-]{40,}"),
    ("v", "BSA", "Brave key", "BRAVE_API_KEY", r"BSA[A-Za-z0-9_-]{25,32}"),
    ("v", "tgp_v1_", "Together key", "TOGETHER_API_KEY", r"tgp_v1_[A-Za-z0-9_-]{30,}"),
    ("v", "e2b_", "E2B key", "E2B_API_KEY", r"e2b_[a-f0-9]{40}"),
    ("v", "re_", "Resend key", "RESEND_API_KEY", r"re_(?=\w{0,40}\d)[A-Za-z0-9]{6,}_[A-Za-z0-9]{16,}"),
    ("v", "apify_api_", "Apify token", "APIFY_TOKEN", r"apify_api_[A-Za-z0-9]{30,}"),
    ("g", "AGE-SECRET-KEY-1", "Age key", "AGE_SECRET_KEY", r"AGE-SECRET-KEY-1[A-Z0-9]{50,}"),
    ("g", "A3T ABIA ACCA AKIA ASIA", "AWS Access Key", "AWS_ACCESS_KEY",
     r"(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA)[0-9A-Z]{16}"),
    ("g", "ABSK bedrock-api-key-", "AWS Bedrock key", "AWS_BEARER_TOKEN_BEDROCK",
     r"ABSK[A-Za-z0-9+/]{60,}={0,2}|bedrock-api-key-\S{20,}"),
    ("d", "AccountKey=", "Azure Storage Account access key", "AZURE_STORAGE_KEY", r"AccountKey=[a-zA-Z0-9+/=]{88}"),
    ("g", "Q~", "Azure client secret", "AZURE_CLIENT_SECRET", r"[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}"),
    ("g", "gl GR1348941", "GitLab Token", "GITLAB_TOKEN",
     r"(?:gl(?:pat|dt|ft|ffct|soat|rt|cbt|imt|ptt|agent|oas|wt)-|GR1348941)[A-Za-z0-9_.-]{20,}(?!\w)"),
    ("d", "-us", "Mailchimp Access Key", "MAILCHIMP_API_KEY", r"[0-9a-z]{32}-us[0-9]{1,2}"),
    ("d", "pypi-", "PyPI Token", "PYPI_TOKEN", r"pypi-[A-Za-z0-9-_]{50,}"),
    ("d", "SG.", "SendGrid API Key", "SENDGRID_API_KEY", r"SG\.[a-zA-Z0-9_-]{22}\.[a-zA-Z0-9_-]{43}"),
    ("g", "xkeysib- xsmtpsib-", "Brevo key", "BREVO_API_KEY",
     r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}|xsmtpsib-[a-f0-9]{64}-\w{16}"),
    ("g", "EAAA sq0", "Square token", "SQUARE_TOKEN", r"(?:EAAA|sq0(?:csp|atp|idp)-)[\w-]{22,60}"),
    ("d", "AC SK", "Twilio API Key", "TWILIO_API_KEY", r"(?:AC|SK)[a-z0-9]{32}"),
    ("g", "dapi", "Databricks token", "DATABRICKS_TOKEN", r"dapi[a-f0-9]{32}(?:-\d)?"),
    ("g", "glsa_ glc_", "Grafana token", "GRAFANA_TOKEN",
     r"glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/]{32,}={0,3}"),
    ("g", "sntry", "Sentry token", "SENTRY_TOKEN", r"sntry(?:s_eyJ[A-Za-z0-9+/=_-]{40,}|[a-z]_[a-f0-9]{64})"),
    ("g", "pscale_", "PlanetScale token", "PLANETSCALE_TOKEN", r"pscale_(?:tkn|oauth|pw)_[\w=.-]{32,64}"),
    ("g", "PMA", "Postman key", "POSTMAN_API_KEY", r"PMA[KT]-[A-Za-z0-9-]{30,}"),
    ("g", "ATATT ATCTT ATBB", "Atlassian token", "ATLASSIAN_TOKEN", r"AT(?:ATT|CTT|BB)[A-Za-z0-9_=-]{20,}"),
    ("g", "ops_eyJ", "1Password token", "OP_SERVICE_ACCOUNT_TOKEN", r"ops_eyJ[A-Za-z0-9+/_-]{60,}={0,3}"),
    ("g", "A3-", "1Password secret key", "OP_SECRET_KEY", r"A3-[A-Z0-9]{6}(?:-[A-Z0-9]{5,11}){4,5}"),
    ("g", "fo1_ fm1 fm2", "Fly.io token", "FLY_API_TOKEN", r"(?:fo1_[\w-]{43}|fm[12][ar]?_[A-Za-z0-9+/]{60,}={0,3})"),
    ("g", "HRKU-", "Heroku key", "HEROKU_API_KEY", r"HRKU-[0-9A-Za-z_-]{30,}"),
    ("g", "NR", "New Relic key", "NEW_RELIC_KEY", r"NR(?:AK|JS|II|RA|AA)-[A-Za-z0-9_-]{19,}"),
    ("g", "dt0", "Dynatrace token", "DYNATRACE_TOKEN", r"dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    ("g", ".atlasv1.", "Terraform token", "TERRAFORM_TOKEN", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}"),
    ("g", "pul-", "Pulumi token", "PULUMI_ACCESS_TOKEN", r"pul-[a-f0-9]{40}"),
    ("g", "rubygems_", "RubyGems key", "RUBYGEMS_API_KEY", r"rubygems_[a-f0-9]{48}"),
    ("g", "AKCp cmVmd", "JFrog token", "ARTIFACTORY_TOKEN", r"AKCp[A-Za-z0-9]{60,}|cmVmd[A-Za-z0-9]{59}"),
    ("g", "tfp_", "Typeform token", "TYPEFORM_TOKEN", r"tfp_[A-Za-z0-9_.=-]{40,}"),
    ("g", "EAA", "Facebook token", "FACEBOOK_TOKEN", r"EAA[A-Za-z0-9]{60,}"),
    ("v", "IGQV IGAA", "Instagram token", "INSTAGRAM_TOKEN", r"IG(?:QV|AA)[A-Za-z0-9_-]{60,}"),
    ("g", "sgp_", "Sourcegraph token", "SOURCEGRAPH_TOKEN", r"sgp_(?:(?:[a-fA-F0-9]{16}|local)_)?[a-fA-F0-9]{40}"),
    ("g", "squ_ sqa_ sqp_", "Sonar token", "SONAR_TOKEN", r"sq[uap]_[a-f0-9]{40}"),
    ("g", "access-", "Plaid token", "PLAID_TOKEN", r"access-(?:sandbox|development|production)-[0-9a-f-]{36}"),
    ("g", "sl.", "Dropbox token", "DROPBOX_TOKEN", r"sl\.(?:u\.)?[A-Za-z0-9_=-]{60,}"),
    ("g", "p8e-", "Adobe secret", "ADOBE_CLIENT_SECRET", r"p8e-[A-Za-z0-9]{32}"),
    ("g", "LTAI", "Alibaba key", "ALIBABA_ACCESS_KEY", r"LTAI[A-Za-z0-9]{12,20}"),
    ("v", "AKID", "Tencent key", "TENCENT_SECRET_ID", r"AKID[A-Za-z0-9]{32}"),
    ("g", "AQVN y0_ y1_ y2_ y3_", "Yandex key", "YANDEX_API_KEY",
     r"AQVN[A-Za-z0-9_-]{35,38}|y[0-3]_[A-Za-z0-9_-]{50,}"),
    ("g", "EZAK EZTK", "EasyPost key", "EASYPOST_API_KEY", r"EZ[AT]K[A-Za-z0-9]{54}"),
    ("g", "shippo_", "Shippo token", "SHIPPO_TOKEN", r"shippo_(?:live|test)_[a-fA-F0-9]{40}"),
    ("g", "duffel_", "Duffel token", "DUFFEL_TOKEN", r"duffel_(?:test|live)_[\w=-]{43}"),
    ("g", "pnu_ pnb_", "Prefect key", "PREFECT_API_KEY", r"pn[ub]_[A-Za-z0-9]{36}"),
    ("g", "rdme_", "ReadMe key", "README_API_KEY", r"rdme_[a-z0-9]{70}"),
    ("g", "API-", "Octopus key", "OCTOPUS_API_KEY", r"API-[A-Z0-9]{26}"),
    ("g", "sha256~", "OpenShift token", "OPENSHIFT_TOKEN", r"sha256~[\w-]{43}"),
    ("v", "v1.0- cfut_ cfat_ cfk_", "Cloudflare token", "CLOUDFLARE_API_TOKEN",
     r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}|cf(?:ut|at|k)_[A-Za-z0-9]{30,}"),
    ("v", "vcp_ vci_ vck_ vcr_ vercel_blob_rw_", "Vercel token", "VERCEL_TOKEN",
     r"vc[pikr]_[A-Za-z0-9]{24,}|vercel_blob_rw_\w{30,}"),
    ("v", "nfp_ nfc_ nfo_ nfu_", "Netlify token", "NETLIFY_TOKEN", r"nf[pcou]_[A-Za-z0-9]{36,}"),
    ("v", "napi_ npg_", "Neon key", "NEON_API_KEY", r"napi_[a-z0-9]{40,}|npg_[A-Za-z0-9]{12,}"),
    ("v", "rnd_", "Render key", "RENDER_API_KEY", r"rnd_[A-Za-z0-9]{28,}"),
    ("v", "figd_ figo_ figu_ figr_ figh_", "Figma token", "FIGMA_TOKEN", r"fig[dourh]_[A-Za-z0-9_-]{30,}"),
    ("v", "dckr_", "Docker token", "DOCKER_TOKEN", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{24,}"),
    ("v", "pat-", "HubSpot token", "HUBSPOT_TOKEN", r"pat-(?:na|eu|ap)\d-[0-9a-f-]{36}"),
    ("v", "1/ 2/", "Asana token", "ASANA_TOKEN", r"[12]/\d{12,}(?:/\d{12,})?:[a-f0-9]{32}"),
    ("v", "pk_", "ClickUp token", "CLICKUP_TOKEN", r"pk_\d{5,}_[A-Z0-9]{32}"),
    ("v", "CFPAT-", "Contentful token", "CONTENTFUL_TOKEN", r"CFPAT-[\w-]{40,}"),
    ("v", "phx_", "PostHog key", "POSTHOG_API_KEY", r"phx_[A-Za-z0-9]{40,}"),
    ("v", "waka_", "WakaTime key", "WAKATIME_API_KEY", r"waka_[0-9a-f-]{36}"),
    ("v", "k.eyJ", "Mapbox token", "MAPBOX_TOKEN", r"[st]k\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}"),
    ("v", "CCIP", "Pushover or CircleCI token", "API_TOKEN", r"CCIP(?:AT|RJ)_[A-Za-z0-9]+_[a-f0-9]{40}"),
    ("v", "bkua_ bkat_ bkct_", "Buildkite token", "BUILDKITE_TOKEN", r"bk(?:ua|at|ct)_[a-f0-9]{40}"),
    ("v", "cio", "crates.io token", "CARGO_REGISTRY_TOKEN", r"cio[A-Za-z0-9]{32}"),
    ("v", "", "ngrok token", "NGROK_AUTHTOKEN", r"2[A-Za-z0-9]{26}_[A-Za-z0-9]{21}"),
    ("v", "ak_ comp_ sk-helicone-", "Composio or Helicone key", "API_KEY",
     r"(?:ak|comp)_[A-Za-z0-9_-]{30,}|sk-helicone-[a-z0-9-]{20,}"),
    ("v", "cal_", "Cal.com key", "CAL_API_KEY", r"cal_(?:live_)?[a-f0-9]{32}"),
    ("v", "ATTA", "Todoist or Trello token", "TRELLO_TOKEN", r"ATTA[a-f0-9]{64,}"),
    ("v", "FLWSECK", "Rollbar or Flutterwave key", "SECRET_KEY", r"FLWSECK(?:_TEST)?-[A-Za-z0-9-]{12,}"),
    ("v", "rzp_", "Razorpay key", "RAZORPAY_KEY", r"rzp_(?:live|test)_[A-Za-z0-9]{14,}"),
    ("v", "AQE", "Adyen key", "ADYEN_API_KEY", r"AQE[a-z][A-Za-z0-9+/=_.-]{80,}"),
    ("v", "SCT", "WeChat or Server-chan key", "SERVERCHAN_KEY", r"SCT\d{2,}[A-Za-z0-9]{24,}"),
    ("v", "expo_", "npm or Expo token", "EXPO_TOKEN", r"expo_[A-Za-z0-9_-]{30,}"),
    ("v", "", "Bitcoin key", "WALLET_KEY",
     r"xprv[1-9A-HJ-NP-Za-km-z]{100,}|[5KL][1-9A-HJ-NP-Za-km-z]{50,51}(?![\w])"),
    ("v", "nsec1", "Nostr key", "NOSTR_KEY", r"nsec1[a-z0-9]{58}"),
    ("v", ":fx :dp", "DeepL key", "DEEPL_API_KEY", r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:(?:fx|dp)"),
    ("v", "", "product key", "PRODUCT_KEY",
     r"(?=[A-Z-]{0,28}\d)(?=[\d-]{0,28}[A-Z])[A-Z0-9]{5}(?:-[A-Z0-9]{5}){4}(?![\w-])"),
    ("v", "", "Kubernetes join token", "KUBEADM_TOKEN",
     r"(?=[a-z.]{0,22}\d)[a-z0-9]{6}\.(?=[a-z]{0,15}\d)[a-z0-9]{16}(?![\w.])"),
    ("v", "K10", "Kubernetes node token", "K3S_TOKEN", r"K10[a-f0-9]{48,}(?:::[\w-]{1,40}:[a-f0-9]{16,})?"),
    ("v", "SWMTKN-1-", "Docker Swarm token", "SWARM_TOKEN", r"SWMTKN-1-[a-z0-9]{40,}-[a-z0-9]{20,}"),
    ("v", "", "Zhipu key", "ZHIPU_API_KEY", r"[0-9a-f]{32}\.[A-Za-z0-9]{16}(?!\w)"),
    ("v", "django-insecure-", "Django key", "SECRET_KEY", r"django-insecure-\S{20,80}(?<![\"'`,;)])"),
    ("v", "", "BitLocker recovery key", "BITLOCKER_KEY", r"\d{6}(?:-\d{6}){7}"),
)
"""Source, what a token holds (one of the words, if any), kind, environment variable and format; a group `value` marks
the secret."""

_UUID: Final = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
WEBHOOKS: Final = (
    ("Slack", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/[\w/+-]{12,}"),
    ("Discord", "discord", r"(?:\w+\.)?discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d{6,}/[\w-]{20,}"),
    ("Teams", ".office.com",
     r"[\w.-]+\.webhook\.office\.com/webhookb2/[\w@/-]{30,}|outlook\.office\.com/webhook/[\w@/-]{30,}"),
    ("Azure", "sig=", r"[\w.:-]+\.(?:logic\.azure|powerplatform|powerautomate)\.com\S{0,300}?[?&]sig=[\w%-]{20,}"),
    ("Zapier", "hooks.zapier.com", r"hooks\.zapier\.com/hooks/(?:catch|standard)/[\w/-]{8,}"),
    ("Make", "//hook", r"hook\.(?:[\w-]+\.)?(?:make|integromat)\.(?:com|celonis\.com)/[\w-]{12,}"),
    ("n8n", "/webhook", rf"[\w.:-]+/webhook(?:-test)?/(?:{_UUID}|(?=[\w-]*\d)[A-Za-z0-9_-]{{20,}})(?:/[\w/-]*)?"),
    ("IFTTT", "maker.ifttt.com", r"maker\.ifttt\.com/(?:trigger/\S{1,80}/with(?:/key)?|use)/[\w-]{16,}"),
    ("Telegram", "api.telegram.org", r"api\.telegram\.org/(?:file/)?bot\d{6,}:[\w-]{30,}(?:/\w*)?"),
    ("Google Chat", "chat.googleapis.com",
     r"chat\.googleapis\.com/v1/spaces/\S{1,200}?[?&](?:key|token)=[\w%=&-]{16,}"),
    ("Pipedream", ".m.pipedream.net", r"[a-z0-9]{10,}\.m\.pipedream\.net"),
    ("Mattermost", "/hooks/", r"[\w.:-]+/hooks/[a-z0-9]{26}|[\w.:-]+/hooks/[A-Za-z0-9]{17,24}/[A-Za-z0-9]{30,}"),
    ("Home Assistant", "/api/webhook/ hooks.nabu.casa",
     r"[\w.:-]+/api/webhook/(?=[\w-]*\d)[\w-]{12,}|hooks\.nabu\.casa/[\w=-]{30,}"),
    ("Healthchecks", "hc-ping.com", rf"hc-ping\.com/(?:{_UUID}|[\w-]{{22}}/[\w-]+)"),
    ("Uptime Kuma", "/api/push/", r"[\w.:-]+/api/push/[A-Za-z0-9]{10,}"),
    ("PagerDuty", "events.pagerduty.com", r"events\.pagerduty\.com/integration/[a-f0-9]{32}(?:/\w+)?"),
    ("Feishu", "/open-apis/bot/", r"open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/(?:v2/)?hook/[\w-]{20,}"),
    ("DingTalk", "oapi.dingtalk.com", r"oapi\.dingtalk\.com/robot/send\?access_token=[a-f0-9]{40,}"),
    ("WeCom", "qyapi.weixin.qq.com", r"qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=[\w-]{20,}"),
    ("ntfy", "ntfy.sh/", r"ntfy\.sh/(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{12,64}"),
    ("webhook.site", "webhook.site/", rf"webhook\.site/{_UUID}"),
    ("Bark", "api.day.app/", r"api\.day\.app/[A-Za-z0-9]{18,}(?:/\S*)?"),
    ("Server-chan", ".ftqq.com/", r"sc(?:tapi)?\.ftqq\.com/[A-Za-z0-9]{20,}\.send"),
    ("Airtable", "hooks.airtable.com", r"hooks\.airtable\.com/workflows/\S{10,120}"),
    ("Splunk On-Call", "alert.victorops.com", r"alert\.victorops\.com/integrations/\S{10,120}"),
    ("Pushcut", "api.pushcut.io/", r"api\.pushcut\.io/(?=\w*\d)\w{12,}(?:/\S*)?"),
    ("Netlify", "api.netlify.com/build_hooks/", r"api\.netlify\.com/build_hooks/[a-f0-9]{16,}"),
    ("Vercel", "api.vercel.com/v1/integrations/", r"api\.vercel\.com/v1/integrations/deploy/\w{8,}/\w{6,}"),
    ("Pabbly", "connect.pabbly.com", r"connect\.pabbly\.com/workflow/sendwebhookdata/[\w%=-]{20,}"),
    ("Apps Script", "script.google.com/macros/", r"script\.google\.com/macros/s/[\w-]{30,}/(?:exec|dev)"),
    ("MacroDroid", "trigger.macrodroid.com", rf"trigger\.macrodroid\.com/{_UUID}/\w*"),
    ("Pushdeer", "/message/push", r"[\w.:-]+/message/push\?pushkey=\w{12,}"),
    ("calendar", "calendar",
     r"outlook\.(?:live|office|office365)\.com/owa/calendar/\S{20,300}?/calendar\.(?:ics|html)"),
    ("calendar", "icloud.com/published/", r"p\d+-(?:caldav|calendars)\.icloud\.com/published/\d/[\w-]{20,}"),
    ("Buttondown", "hook",
     r"[\w.-]+/(?:webhooks?|hooks?)/(?:catch|incoming|in|custom|inbound|deploy|services|github|v\d)/(?=[\w/-]*\d)[\w/-]{8,}"),
    ("hook", "hook",
     r"(?:[\w.-]*hooks?\.[\w.-]+|[\w.:-]+(?:/[\w.-]{1,30}){0,3}/(?:web)?hooks?)/(?:[\w.-]{1,40}/){0,4}(?=[\w-]*\d)(?=[\w-]*[a-zA-Z])[\w-]{16,}(?:/[\w/-]*)?"),
    ("Power Automate", "sig=", r"[\w.:-]+\.(?:azure|powerplatform)\.com\S{0,300}?[?&]sig=[\w%-]{16,}"),
    ("keyed", "?",
     r"[\w.:/%~@-]{4,300}\?(?:[^\s\"'`<>]{0,400}&)?(?:auth|appid|pushkey|webhook_token|secret|hmac|authkey|auth_token|private_token|access_key|Signature)=(?=[\w%+/=-]*\d)[\w%+/=-]{16,}"),
    ("calendar", "calendar", r"calendar\.google\.com/calendar/ical/\S{1,150}?/private-[a-f0-9]{20,}/\S{1,40}"),
    ("signed", "?",
     r"[\w.:/%~-]{4,300}\?(?:[^\s\"'`<>]{0,400}&)?(?:sig|X-Amz-Signature|X-Goog-Signature)=[\w%+/-]{20,}"),
    ("Pushbullet", "message?token=", r"[\w.:-]+/(?:gotify/)?message\?token=[A-Za-z0-9._-]{12,}"),
)
"""Services whose addresses open a door by themselves: the service, what an address holds, and its form after `https://`."""
# fmt: on

LONGEST_ADDRESS: Final = 2_000
LONGEST_PART: Final = 400
"""Characters of a part of a token that a format reads; the rest of a longer one is added to it."""

LEAST_LONG: Final = 20
LEAST_DIGITS: Final = 2
_REST: Final = r"[A-Za-z0-9_+/=-]*"
_ADDRESS: Final = (
    rf"h(?:ttps?://\S{{8,{LONGEST_ADDRESS}}}|(?<![\w./-]h)(?=ooks?\.)\S{{7,{LONGEST_ADDRESS - 1}}})"
)


@cache
def _compiled(form: str) -> re.Pattern[str]:
    """Return a format as a pattern, with bounded parts: its time is linear in a word."""
    return re.compile(form.replace(",}", f",{LONGEST_PART}}}"))


_Row = tuple[str, str, str, str, str]


@cache
def _unmarked() -> tuple[dict[str, _Row], re.Pattern[str]]:
    """Return the formats without a mark by the name of a group, and the pattern of them all."""
    rows = {f"token{number}": row for number, row in enumerate(TOKENS) if not row[1]}
    return rows, _compiled("|".join(f"(?P<{name}>{row[-1]})" for name, row in rows.items()))


@cache
def _marks() -> re.Pattern[str]:
    """Return a pattern of all marks; most words hold none."""
    return re.compile("|".join({re.escape(mark) for row in TOKENS for mark in row[1].split()}))


@lru_cache(maxsize=20_000)
def _rows_of(word: str) -> tuple[_Row, ...]:
    """Return the tokens that a word may hold by its marks."""
    if not _marks().search(word):
        return ()
    return tuple(row for row in TOKENS if row[1] and _holds(word, row[1]))


def _holds(word: str, marks: str) -> bool:
    return any(mark in word for mark in marks.split())


def provider_tokens(text: str) -> Iterator[SecretSpan]:
    """Yield the tokens of a text that have a provider's format; they may overlap."""
    end = 0
    for word in [word for word in text.split() if len(word) >= LEAST_LONG]:
        start = text.index(word, end)
        end = start + len(word)
        place = start, end
        for row in _rows_of(word):
            for match in _compiled(row[-1]).finditer(text, *place):
                yield from _token(text, match, row)
        rows, pattern = _unmarked()
        for match in pattern.finditer(text, *place) if sum(map(str.isdecimal, word)) >= LEAST_DIGITS else ():
            yield from _token(text, match, rows[match.lastgroup or ""])


def without_tokens(name: str) -> str:
    """Return the name of a file or folder with tokens in it replaced by their variables."""
    if len(name) < LEAST_LONG:
        return name
    for value, variable in {
        name[span.start : span.end]: span.variable for span in provider_tokens(name)
    }.items():
        name = name.replace(value, f"${{{variable}}}")
    return name


def _token(text: str, match: re.Match[str], row: _Row) -> Iterator[SecretSpan]:
    start, end = match.span("value" if match.groupdict().get("value") else 0)
    if text[match.start() - 1 : match.start()].isalnum() or is_placeholder(text[start:end]):
        return
    if end - start > LONGEST_PART and (rest := compiled(_REST).match(text, end)):
        end = rest.end()
    yield SecretSpan(start, end, row[2], variable_before(text, start) or row[3])


def webhooks(text: str) -> Iterator[SecretSpan]:
    """Yield the addresses of a text that are secrets; they may overlap."""
    for address in compiled(_ADDRESS).finditer(text) if "://" in text or "hook" in text else ():
        word = address.group()
        start = address.start() + (word.index("://") + 3 if "://" in word else 0)
        for _, marks, form in WEBHOOKS:
            if _holds(word, marks) and (match := _compiled(form).match(text, start, address.end())):
                last = match.group().rstrip("/").rpartition("/")[2]
                if not is_placeholder(last) and "<" not in match.group():
                    variable = "SLACK_TOKEN" if "hooks.slack.com" in word else "WEBHOOK_URL"
                    yield SecretSpan(address.start(), match.end(), "webhook address", variable)
