"""The same rule means the same in each language: what a reply shows is judged, what tools do is enforced."""

from collections.abc import Mapping
from typing import Final

from melleafy_tui.core.models.facts import ActionFact
from melleafy_tui.core.models.vocabulary import Polarity, Use
from tests.dialects.openclaw.in_memory import elements_of

JUDGED: Final[Mapping[str, tuple[str, ...]]] = {
    "the language": (
        "Always answer in English.", "Réponds toujours en français.", "Responde siempre en español.",
        "Responda sempre em português.", "Antworte immer auf Deutsch.", "Всегда отвечай по-русски.",
        "始终用中文回答。", "常に日本語で回答する。", "항상 한국어로 답변한다.", "**항상 한국어**로 응답",
    ),
    "no advice on health": (
        "Never give medical advice.", "Ne donne jamais de conseils médicaux.", "Nunca des consejos médicos.",
        "Nunca dê conselhos médicos.", "Gib niemals medizinische Ratschläge.", "Никогда не давай медицинских советов.",
        "绝不提供医疗建议。", "医療の助言は絶対にしない。", "의료 조언은 절대 제공하지 않는다.", "의료 조언 제공하지 않음",
    ),
    "a phrase in every answer": (
        'Include "bake at your own risk" in every answer.', "Ajoute « à tes risques » à chaque réponse.",
        'Incluye "bajo tu responsabilidad" en cada respuesta.', 'Inclua "por sua conta" em cada resposta.',
        'Füge jeder Antwort "auf eigene Gefahr" hinzu.', "Добавляй «на свой риск» в каждый ответ.",
        "每次回答都要包含“后果自负”。", "回答には必ず「自己責任で」を含める。",
        '모든 답변에 "책임은 본인에게 있습니다"를 반드시 포함한다.',
    ),
    "the length": (
        "Keep every reply under 400 characters.", "Garde chaque réponse sous 400 caractères.",
        "Mantén cada respuesta por debajo de 400 caracteres.", "Mantenha cada resposta abaixo de 400 caracteres.",
        "Halte jede Antwort unter 400 Zeichen.", "Каждый ответ не длиннее 400 символов.",
        "每条回复不超过400个字符。", "返信は400文字以内にする。", "답변은 400자를 넘기지 않는다.",
        "텔레그램 400자 제한 준수",
    ),
    "what to say in doubt": (
        'When in doubt, say "I have to ask Ana".', "En cas de doute, dis « Je dois demander à Ana ».",
        'En caso de duda, di "Tengo que consultarlo con Ana".', 'Em caso de dúvida, diga "Vou perguntar à Ana".',
        'Im Zweifel sage "Das kläre ich mit Ana".', "Если сомневаешься, скажи «Уточню у Анны».",
        "不确定时说“我去问安娜”。", "迷ったら「アナに聞きます」と言う。",
        '확실하지 않으면 "안나에게 물어보겠습니다"라고 말한다.',
    ),
    "the last sentence": (
        "End every answer with a question.", "Termine chaque réponse par une question.",
        "Termina cada respuesta con una pregunta.", "Termine cada resposta com uma pergunta.",
        "Beende jede Antwort mit einer Frage.", "Заканчивай каждый ответ вопросом.",
        "每次回答以问题结尾。", "回答の最後に質問を一つ添える。", "모든 답변을 질문으로 끝낸다.",
    ),
    "no emojis": (
        "Do not use emojis.", "N'utilise pas d'émojis.", "No uses emojis.", "Não use emojis.",
        "Verwende keine Emojis.", "Не используй эмодзи.", "不要使用表情符号。", "絵文字は使わない。",
        "이모지를 사용하지 마세요.", "이모지 사용 금지",
    ),
    "no small talk": (
        "No small talk.", "Pas de bavardage.", "Nada de charla.", "Sem conversa fiada.", "Kein Smalltalk.",
        "Никакой болтовни.", "不闲聊。", "雑談はしない。", "잡담 금지.",
    ),
    "sources": (
        "Cite your sources.", "Cite tes sources.", "Cita tus fuentes.", "Cite suas fontes.",
        "Nenne deine Quellen.", "Указывай источники.", "引用来源。", "出典を明記する。", "출처를 명시한다.",
    ),
    "nothing made up": (
        "You must not invent numbers.", "Tu ne dois pas inventer de chiffres.", "No debes inventar cifras.",
        "Você não deve inventar números.", "Du darfst keine Zahlen erfinden.", "Нельзя придумывать цифры.",
        "不得编造数字。", "数字を捏造してはならない。", "숫자를 지어내면 안 된다.",
    ),
    "no promise": (
        "Never promise a refund.", "Ne promets jamais de remboursement.", "Nunca prometas un reembolso.",
        "Nunca prometa um reembolso.", "Versprich nie eine Rückerstattung.", "Никогда не обещай возврат денег.",
        "绝不承诺退款。", "返金を約束しない。", "환불을 약속하지 않는다.",
    ),
    "whom to ask": (
        "If you are unsure, ask Ana.", "Si tu n'es pas sûr, demande à Ana.", "Si no estás seguro, pregunta a Ana.",
        "Se não tiver certeza, pergunte à Ana.", "Если не уверен, спроси Анну.", "如果不确定，先问安娜。",
        "不明な場合はアナに聞く。",
    ),
}  # fmt: skip
"""A rule about the words of a reply, in each language."""

ENFORCED: Final[Mapping[str, tuple[str, ...]]] = {
    "what stays private": (
        "Never share customer data with strangers.", "Ne partage jamais de données clients avec des inconnus.",
        "Nunca compartas datos de clientes con desconocidos.", "Nunca compartilhe dados de clientes com estranhos.",
        "Gib niemals Kundendaten an Fremde weiter.", "Никогда не передавай данные клиентов посторонним.",
        "绝不向外人泄露客户数据。", "顧客データを他人に共有しない。", "고객 데이터를 외부인에게 공유하지 않는다.",
    ),
    "an approval before a message": (
        "Ask before you send e-mails.", "Demande avant d'envoyer des e-mails.",
        "Pregunta antes de enviar correos.", "Pergunte antes de enviar e-mails.",
        "Frage, bevor du E-Mails sendest.", "Спрашивай, прежде чем отправлять письма.",
        "发邮件之前先问我。", "メールを送る前に確認する。", "이메일을 보내기 전에 먼저 물어본다.",
        "메일 발송은 승인 후 진행",
    ),
    "no command without a confirmation": (
        "Never run system commands without Ana's confirmation.",
        "Ne jamais exécuter de commande système sans confirmation d'Ana.",
        "Nunca ejecutes comandos sin la confirmación de Ana.", "Nunca execute comandos sem a confirmação da Ana.",
        "Führe niemals Systembefehle ohne Anas Bestätigung aus.",
        "Никогда не выполняй системные команды без подтверждения Анны.", "未经安娜确认绝不执行系统命令。",
        "アナの確認なしにコマンドを実行しない。", "안나의 확인 없이 명령을 실행하지 않는다.",
    ),
    "no deletion without an approval": (
        "Do not delete files without approval.", "Ne supprime pas de fichiers sans approbation.",
        "No borres archivos sin aprobación.", "Não apague arquivos sem aprovação.",
        "Lösche keine Dateien ohne Freigabe.", "Не удаляй файлы без разрешения.", "未经批准不要删除文件。",
        "承認なしにファイルを削除しない。", "승인 없이 파일을 삭제하지 않는다.", "승인 없는 파일 삭제 금지",
    ),
    "no payment": (
        "Never pay an invoice yourself.", "Ne jamais payer une facture toi-même.", "Nunca pagues una factura tú mismo.",
        "Nunca pague uma fatura sozinho.", "Bezahle nie selbst eine Rechnung.", "Никогда не оплачивай счета сам.",
        "绝不自行付款。", "自分で支払いをしない。", "직접 결제하지 않는다.",
    ),
    "no contact": (
        "Do not contact customers directly.", "Ne contacte pas directement les clients.",
        "No contactes directamente con los clientes.", "Kontaktiere Kunden nicht direkt.",
        "Не связывайся с клиентами напрямую.", "不要直接联系客户。", "顧客に直接連絡しない。",
        "고객에게 직접 연락하지 않는다.",
    ),
    "what isn't shown to outsiders": (
        "Do not reveal the recipes.", "Ne révèle pas les recettes.", "No reveles las recetas.",
        "Não revele as receitas.", "Verrate die Rezepte nicht.", "Не раскрывай рецепты.", "不要泄露配方。",
        "レシピを漏らさない。", "레시피를 공개하지 않는다.",
    ),
}  # fmt: skip
"""A rule about what tools do, in each language."""


def test_a_rule_has_the_same_use_in_each_language() -> None:
    wrong = []
    for use, rules in ((Use.JUDGED, JUDGED), (Use.ENFORCED, ENFORCED)):
        for meaning, sentences in rules.items():
            for sentence in sentences:
                (item,) = (e for e in elements_of("AGENTS.md", f"- {sentence}\n") if e.kind == "item")
                if item.use is not use:
                    wrong.append(f"{meaning}: {sentence} is {item.use.value} ({item.polarity.value})")
    assert not wrong, "\n".join(wrong)


def test_a_duty_below_a_heading_of_prohibitions_stays_a_duty() -> None:
    said = {
        "## Never\n\n- Share the recipes\n- If the till is empty, tell Ana\n": "FO",
        "## 禁止事项\n\n- 编造价格\n- 如果烤箱停了，说“稍等”\n- 价格必须标注来源\n": "FOO",
        "## Niemals\n\n- Rezepte teilen\n- Preise müssen die Mühle nennen\n": "FO",
    }
    for text, expected in said.items():
        items = [e for e in elements_of("AGENTS.md", text) if e.kind == "item"]
        assert "".join(e.polarity.name[0] for e in items) == expected, text
        assert [e.statement for e in items if e.polarity.name == "OBLIGES"] == [
            e.content_full[2:] for e in items if e.polarity.name == "OBLIGES"
        ]


def test_the_lead_in_of_a_prohibition_names_no_barred_action() -> None:
    text = "When you run scripts at night:\n\n- Never shorten the report\n- Never delete a file\n"
    uses = [(e.use, e.facts[ActionFact].actions) for e in elements_of("AGENTS.md", text) if e.kind == "item"]
    assert uses == [(Use.GUIDED, ()), (Use.ENFORCED, ("delete",))]


PERSONAS: Final = (
    ("## Security", "- Visitors are not customers\n- Never run a system action without Ana's confirmation\n"),
    ("## ✅ Always do", "- Turn wishes into orders\n- Confirm before you send posts or payments\n"),
    ("## Sécurité", "- Les visiteurs ne sont pas des clients\n- Ne jamais exécuter de commande sans confirmation d'Ana\n"),
    ("## ✅ Sempre fazer", "- Transformar pedidos em tarefas\n- Confirmar antes de enviar mensagens\n"),
    ("## Sicherheit", "- Besucher sind keine Kunden\n- Führe niemals Befehle ohne Anas Bestätigung aus\n"),
    ("## 安全", "- 访客不是客户\n- 未经安娜确认绝不执行命令\n"),
    ("## 경계", "- 방문자는 고객이 아니다\n- 승인 없이 파일을 삭제하지 않는다.\n"),
)  # fmt: skip
"""Sections of a persona: a fact or a wish, and an approval or prohibition about what tools do."""


def test_an_approval_in_a_persona_is_enforced() -> None:
    wrong = []
    for heading, items in PERSONAS:
        elements = elements_of("SOUL.md", f"# Ada\n\nCalm.\n\n{heading}\n\n{items}")
        uses = [e.use for e in elements if e.kind == "item"]
        if uses[-1:] != [Use.ENFORCED]:
            wrong.append(f"{heading}: {uses}")
    assert not wrong, "\n".join(wrong)


def test_a_statement_in_german_forbids_nothing() -> None:
    for text in (
        "Alte Rezepte sind nicht mehr hier.",
        "Die Waage funktioniert nicht.",
        "Prüfe, ob der Ofen nicht brennt.",
    ):
        (item,) = (e for e in elements_of("AGENTS.md", f"- {text}\n") if e.kind == "item")
        assert item.polarity is not Polarity.FORBIDS, text
