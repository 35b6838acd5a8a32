"""English and Chinese wordings that the tag rules of a skill's body match, in addition to the shared word lists."""

# ruff: noqa: E501 - a word list is easier to read in one piece

import re
from typing import Final

from melleafy_tui.core.dialects.tag_rules import pattern
from melleafy_tui.core.lazy_regex import LazyRegex

SCHEMA_HEADING: Final = pattern(
    r"\b(?:output|report|result|response|reply|answer|return|json|summary|record|deliverable|memo|minutes|scorecard)s?\b.{0,30}\b(?:format|schema|structure|template|fields?|shape|layout|columns?|object|contains?|has|have|with)\b"
    r"|^(?:\W*\d*[.)]?\s*)?(?:output|schema|report|the report|fields|data model|deliverable|report template)\W*$"
    r"|\b(?:schema|fields) of\b|(?:输出|报告|结果|返回|记录|汇总).{0,6}(?:格式|模板|结构|字段|内容|包含|包括)|^(?:输出|字段|报告|报告模板|输出要求)$"
)
"""A heading or lead-in that introduces a list of fields."""

SCHEMA_LEAD: Final = pattern(
    r"\b(?:return|output|produce|respond|reply|answer|write|fill|use|emit|report|deliver|record)\b.{0,80}\b(?:json|format|shape|schema|structure|template|fields?|table|object|layout|form)\b"
    r"|(?:返回|输出|按照|按|使用|填写|生成).{0,20}(?:格式|模板|结构|字段|JSON|表格)"
)
"""The sentence above a fence that contains a schema."""

FIELD_HEADER: Final = pattern(
    r"^(?:fields?|names?|keys?|columns?|property|properties|attributes?|sections?|字段|字段名|名称|列|项目|栏目)$"
)
VALUE_HEADER: Final = pattern(
    r"\b(?:types?|format|description|meaning|required|contents?|value|values|what|holds?|example|notes?)\b|类型|说明|含义|内容|必填|格式|示例"
)
INPUT_HEADING: Final = pattern(
    r"^\W*(?:\d+[.)]\s*)?(?:expected |required |optional )?(?:inputs?|arguments?|parameters?|what you (?:get|need|receive|are given)|输入|输入内容|参数|前置输入)(?: (?:files?|data|expected))?\W*$"
)
INPUT: Final = pattern(
    r"\$ARGUMENTS\b|\$\d\b|\bthe (?:user|caller|requester|customer|client|author) (?:provides?|gives?|passes|uploads?|attaches|pastes?|supplies|hands|sends|will (?:give|provide|paste|send))\b"
    r"|\byou (?:are given|will be given|receive|get)\b|用户(?:会)?(?:提供|给出|上传|粘贴|输入)"
)
PERSONA: Final = pattern(
    r"^(?:you are|you['’]re|you (?:write|speak|work|help|review|prepare|advise|answer) (?:for|as|with|like|to|on)\b|you (?:help|assist|serve)\b|act as|you act as|as an? [\w -]{3,40}, you)\b|^(?:你是|您是|作为一|请扮演|扮演)"
)
LOOKUP: Final = pattern(
    r"\b(?:references?|assets)/[\w./-]+|\]\([\w./-]+\.md\)|`[\w./-]+\.(?:md|csv|json|ya?ml|txt|toml)`"
    r"|\b(?:search|browse|look (?:it |them )?up on|query|check) (?:the )?(?:web|internet|database|crm|erp|tracker|ticket system|registry|api|repository|calendar|inbox)\b"
    r"|(?:搜索|检索|查询)(?:网络|网页|数据库|系统|互联网)"
)
SCRIPT: Final = LazyRegex(r"(?<![\w/])(?:\./)?scripts/[\w./-]{1,300}\.\w+")
RUN: Final = pattern(
    r"^(?:[^.;]{0,60}[,:]\s*)?(?:always |then |first,? )?(?:run|execute|invoke|call)\b.{0,60}`[^`]+`|(?:运行|执行|调用).{0,20}`[^`]+`"
)
COMMAND_FENCE: Final = frozenset(
    {"bash", "sh", "shell", "zsh", "console", "shell-session", "terminal", "powershell"}
)
CODE_FENCE: Final = frozenset(
    {
        "python",
        "py",
        "javascript",
        "js",
        "typescript",
        "ts",
        "ruby",
        "go",
        "rust",
        "java",
        "sql",
        "http",
        "graphql",
        "r",
    }
)
DATA_FENCE: Final = frozenset(
    {"json", "json5", "jsonc", "yaml", "yml", "toml", "xml", "markdown", "md", "text", ""}
)
MCP_TOOL: Final = re.compile(r"\bmcp__\w+")
HTTP: Final = LazyRegex(r"\b(?:GET|POST|PUT|PATCH|DELETE|HEAD)\s+`?https?://|\bcurl\s[^\n]{0,200}https?://")
EXAMPLES: Final = pattern(
    r"^\W*(?:\d+[.)]\s*)?(?:worked )?(?:examples?|samples?|example (?:input|output|run|session)s?|示例|例子|样例|举例)(?:\s+\S+){0,3}\W*$"
)
PHASE_HEADING: Final = pattern(
    r"^\W*(?:phase|step|stage|part|task)\s*[\dIVX]+\b|^\W*(?:第[一二三四五六七八九十\d]+[步阶]|步骤\s*[一二三四五六七八九十\d]+|阶段\s*[一二三四五六七八九十\d]+)"
)
"""A heading that says it is one phase of the work."""

NUMBERED_HEADING: Final = pattern(r"^\W*(?:\d+(?:\.\d+)*\w?[.)、:]\s*|[一二三四五六七八九十]+、)(?=\S)")
"""The number before a heading; such headings also count patterns, options and chapters."""

SETUP_HEADING: Final = pattern(
    r"\b(?:set ?up|install(?:ation|ing)?|prerequisites?|requirements|configur(?:e|ation))\b|安装|配置|前置"
)
"""A heading of what the owner does once, before the skill works."""

TOPIC_HEADING: Final = pattern(
    r"\b(?:rules?|guidelines?|principles?|practices|tips|patterns|pitfalls|mistakes|gotchas|concepts|options|methods|modes|features|operations|commands|usage|examples?|recipes|decision tree|troubleshooting|checklists?|reference)\b|规则|原则|实践|功能|能力|示例|场景|问题"
)
"""A heading whose numbered headings are topics or alternatives, however they start."""

WORKFLOW_HEADING: Final = pattern(
    r"\b(?:workflows?|process|procedure|steps?|instructions?|how to (?:do|work|proceed|run)|method|pipeline|phases?|stages?|what to do|approach|playbook|runbook)\b|工作流程?|流程|步骤|操作方法|处理方法|执行"
)
"""A heading whose lists are steps."""

RULES_HEADING: Final = pattern(
    r"\b(?:rules?|guidelines?|principles?|boundaries|polic(?:y|ies)|style|tone|constraints?|requirements?|must|never|always|don['’]?ts?|safety|limits?|quality|conventions?|guardrails?|pitfalls?|mistakes)\b|规则|原则|要求|注意|禁止|约束|规范|限制|守则"
)
"""A heading whose items are rules, not steps."""

DOMAIN_CHECK: Final = pattern(
    r"^(?:[^,.;]{0,60}[,:]\s*)?(?:always |then )?(?:verify|validate|double-?check|cross-?check|reconcile|fact-?check)\b(?! with\b)|"
    r"^(?:[^,.;]{0,60}[,:]\s*)?(?:always |then )?(?:verify|validate|double-?check|cross-?check|reconcile|confirm (?!with\b)|check|compare|match)\s+(?:that |whether |if |each |every |all |the |any |both )*(?:[\w'’-]+ ){0,6}?"
    r"(?:ids?|numbers?|addresses|address|amounts?|totals?|sums?|dates?|invoices?|orders?|records?|data|urls?|links?|sources?|facts?|prices?|inputs?|signatures?|checksums?|schema|fields?|values?|accounts?|balances?|currenc(?:y|ies)|citations?|quotes?|figures?|names?|quantit(?:y|ies)|units?|versions?|limits?|thresholds?|clauses?|terms?|claims?|doses?|allergens?|ingredients?|rows?|columns?|period|periods)\b"
    r"|^(?:always |then )?(?:compare|check|match)\b[^.;]{1,80}\b(?:with|against|to)\b[^.;]{0,20}`?(?:references?|assets)/"
    r"|(?:核对|核实|校验|验证|比对|核查|检查).{0,24}(?:数据|代码|期限|是否|证|金额|来源|日期|编号|数量|单价|合计|总额|名称|号码|信息|税率|条款|地址|资质|一致)"
)
CLASSIFY: Final = pattern(
    r"^(?:always |then )?(?:classify|categori[sz]e|label|triage|sort|rank|prioriti[sz]e|assign|decide whether|rate)\b.{0,100}\b(?:as|into|by|under|one of|either|severity|categor\w+|class|label|to one)\b|分类|归类|分级|判定为|判断为|标记为"
)
EXTRACT: Final = pattern(
    r"^(?:always |then )?(?:extract|pull out|parse out|collect|capture|identify|list (?:all|every|each)|note down|gather)\b(?!.{0,40}\bfrom the user\b)|提取|抽取|摘出|摘录|列出"
)
TRANSFORM: Final = pattern(
    r"^(?:always |then )?(?:convert|translate|reformat|normali[sz]e|transform|rewrite|reword|transcribe|redact|anonymi[sz]e|pseudonymi[sz]e|condense|shorten)\b|^(?:将|把).{1,30}(?:翻译|转换|换算|改写|统一|转成|转为)|翻译成|转换为"
)
GENERATE: Final = pattern(
    r"^(?:always |then )?(?:draft|compose|generate|summari[sz]e|sum up|produce|prepare|create|write (?:an? |the |one |two |three |up )\b|write (?:[\w'’-]+ ){0,4}?(?:reports?|summary|digest|notes?|e-?mails?|mail|repl(?:y|ies)|letters?|posts?|article|draft|brief|plan|message|story|description|minutes|newsletter|review|paragraph|entry|entries|card|outline|memo|section|headline|questions?))\b|撰写|生成|起草|总结|编写|拟定|写(?:一|出|成)"
)
READING: Final = pattern(
    r"^(?:always |then |first,? )?(?:re-?)?read (?:through )?(?:(?:the|this|that|its|all of the) )?(?:whole |full |entire |complete )?(?:text|document|contract|message|transcript|e-?mail|invoice|ticket|thread|report|request|brief|input)s?\b"
    r"(?![^.;]*\b(?:for|to (?:find|see|learn|identify|determine|understand)|and (?!then\b)\w+)\b)"
    r"|^(?:阅读|通读)[^，,；;。]{0,20}[。.]?$"
)
"""An order that only asks to read the input."""

QUESTION: Final = pattern(
    r"^(?:always |then )?(?:find|look for|locate|determine|work out|establish|answer|read (?:the )?(?:whole |full |entire )?(?:text|document|contract|message|transcript|email|invoice|ticket|thread|report|request|brief|input)|scan|review|assess|inspect|examine|spot)\b|^(?:找出|找到|确定|查明|阅读|通读|审阅|评估|识别)"
)
_LABEL: Final = LazyRegex(
    r"^(?:(?:step|phase|stage|part|task)\s*[\dIVX]+\s*[:.)—–-]?\s*|第[一二三四五六七八九十\d]+步[:：、]?\s*)|^[^.!?:：—–。]{1,40}(?:[:：]|\s[—–-])\s+",
    re.IGNORECASE,
)


def after_label(text: str) -> str:
    """Return a step's words after its label: `Step 1: Extract the total` and `Total — extract it` are both orders."""
    return _LABEL.sub("", text, count=1)


ABOUT_SKILL: Final = pattern(
    r"^(?:this skill|the skill|use this skill|本技能|该技能|此技能)\b|^(?:本|该|此)(?:技能|文档|文件)"
)
ROUTING_HEADING: Final = pattern(
    r"^\W*(?:\d+[.)]\s*)?(?:when (?:not )?to (?:use|apply|invoke|activate|trigger|reach for)(?: (?:this|the|it)\b[^.:]*)?|when (?:this skill )?(?:triggers|activates|(?:is )?triggered)|triggers?|(?:activation|trigger)(?: (?:triggers?|patterns?|phrases?|conditions?|criteria|words|keywords|examples))|(?:imperative|explicit|implicit) triggers|(?:use|do not use|don['’]t use)(?: this(?: skill)?)?(?: when| for| if)?|"
    r"(?:何时|何時|什么时候|什麼時候)(?:使用|触发|觸發|调用|調用).{0,8}|(?:适用|適用|使用|触发|觸發|不适用|不適用)(?:的)?(?:场景|場景|条件|條件|时机|時機|情况|情況|词|詞|方式|范围|範圍))\W*(?:[(（—–].*)?$"
)
"""A heading over what the skill is for; a router reads it before the skill is loaded."""

ROUTING: Final = pattern(
    r"^\W*(?:(?:always|only|proactively|immediately|also|please|do not|don['’]t|never)\s+)*(?:use|invoke|activate|apply|trigger|load|call|run|reach for|switch to)\s+(?:this|the) skill\b"
    r"|^\W*(?:use|invoke|activate|trigger|apply)(?: (?:this|it))?(?: (?:proactively|immediately))? (?:when|if|for|whenever)\W*$|^\W*(?:trigger|activation) (?:patterns?|phrases?|words|keywords|conditions?)\b[^.]{0,40}$"
    r"|(?:使用|触发|觸發|调用|調用|激活)(?:本|该|該|此|这个|這個)(?:技能|skill)"
)
"""Words, or a lead-in, that say when to use the skill itself."""

OWNERS_SETUP: Final = pattern(
    r"^\W*(?:\d+[.)]\s*)?(?:one-time |first-time |initial |quick |user |environment |the )*(?:set-?up|install(?:ation|ing)?|prerequisites?)\b[^.:]{0,40}$|^\W*(?:\d+[.)、]\s*)?(?:安装|安裝|环境准备|環境準備|环境配置|前置条件|前提条件|准备工作)[^。:：]{0,16}$"
)
"""A heading of what the owner does once, which no reply shows."""

FEATURES: Final = pattern(
    r"^\W*(?:\d+[.)]\s*)?(?:(?:key|core|main|technical|current|planned|all) )?(?:features?|highlights|capabilities|what (?:it|this(?: skill)?) (?:does|can do|offers|provides)|what['’]s (?:new|included)|benefits|advantages)\W*$|^\W*(?:\d+[.)、]\s*)?(?:核心|主要|关键|技术|技術)?(?:功能(?:特点|特性|亮点|列表|介绍)?|特性|特点|亮点|亮點|优势|優勢)\W*$"
)
"""A heading over what the skill offers: its items praise and order nothing, whatever verb they begin with."""

RECORDS: Final = pattern(
    r"^\W*(?:change ?log|version history|release notes|revision history|licen[cs]e|credits|acknowledge?ments|authors?|contributors|更新日志|更新日誌|更新记录|版本历史|版本歷史|变更记录|许可证?|授权协议|作者|致谢)\W*$"
)
"""A heading over the history and ownership of the skill."""

OVERVIEW: Final = pattern(
    r"^\W*(?:overview|introduction|about|purpose|table of contents|contents|概述|简介|目的)\W*$"
)
