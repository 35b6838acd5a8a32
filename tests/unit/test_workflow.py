"""What workflows say is read into typed records, or not at all."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from melleafy_tui.core.models.facts import Facts, PhaseFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Polarity, Tag
from melleafy_tui.core.package.known_calls import KnownCall
from melleafy_tui.core.package.reading_fields import Reading
from melleafy_tui.core.package.result_schemas import report_schemas, schema_facts
from melleafy_tui.core.package.workflow import Check, Prose, Stop, Workflow, read_workflow
from tests.rows import every_row

FIELDS = (
    ("sender", "string", "Who wrote it"),
    ("total_amount", "number", "In euros"),
    ("checks", "list of strings", "One line for each check"),
    ("verdict", "one of: accept, wait, refuse", "What to do"),
    ("comment", "string", "Why"),
)
ITEMS = "sender name, form number, contract number, net amount, tax rate, total amount, number of pages and shipping fees of each line"
READ = f"Extract {ITEMS.removesuffix(' and shipping fees of each line')}."
KIND = "Classify the letter as order, complaint or advertisement."
CALL = "Get the contract from https://erp.example.org/contracts/{number}."


def made(steps: list[tuple[Tag, str]], rules: list[tuple[Polarity, str]], *, report: bool = True) -> Workflow:
    """Return the workflow of steps, all of one phase, and of rules."""
    texts = [(tag, Polarity.OBLIGES, text, True) for tag, text in steps]
    texts += [(Tag.DECIDE, polarity, text, False) for polarity, text in rules]
    elements = [
        Element(
            f"elem_{number:03}",
            "SKILL.md",
            str(number),
            "item",
            tag,
            Category.C2,
            text[:100],
            text,
            text,
            polarity=polarity,
            section=("Letters", "Phase 1: Work"),
            facts=Facts(PhaseFact("Phase 1: Work")) if step else Facts(),
        )
        for number, (tag, polarity, text, step) in enumerate(texts, start=1)
    ]
    rows = [
        Element(
            "elem_900",
            "SKILL.md",
            "900",
            "table",
            Tag.SCHEMA,
            Category.NONE,
            "",
            "",
            "",
            facts=schema_facts("Report", FIELDS),
        )
    ]
    found = read_workflow(elements, report_schemas(rows) if report else ())
    assert found is not None
    return found


def after_reading(statement: str) -> Workflow:
    """Return a workflow with a statement after what was read and fetched, as a check."""
    return made(
        [
            (Tag.EXTRACT, READ),
            (Tag.CLASSIFY, KIND),
            (Tag.ORCHESTRATE, CALL),
            (Tag.VALIDATE_DOMAIN, statement),
        ],
        [],
    )


def ruled(statement: str, polarity: Polarity = Polarity.OBLIGES) -> Workflow:
    """Return a workflow with a statement as a rule."""
    return made([(Tag.EXTRACT, READ), (Tag.CLASSIFY, KIND)], [(polarity, statement)])


def test_extractions_and_labels_share_one_reading_with_typed_fields() -> None:
    workflow = after_reading("Compare the net amount with the contract.")
    (reading,) = workflow.readings
    assert (reading.class_name, reading.variable) == ("Reading", "reading")
    assert {field.name: field.type.value for field in reading.fields} == {
        "sender": "text",
        "form_number": "text",
        "contract": "text",
        "net_amount": "money",
        "tax_rate": "number",
        "total_amount": "money",
        "number_of_pages": "count",
        "kind": "label",
    }
    assert reading.labelled()[0].labels == ("order", "complaint", "advertisement")
    assert set(workflow.copied) == {"sender", "total_amount"}
    assert [field.name for field in workflow.decided] == ["verdict", "comment"]


TYPES = {
    "Extract the gross amount and the number of guests.": {
        "gross_amount": "money",
        "number_of_guests": "count",
    },
    "Extract invoice number and purchase price.": {"invoice_number": "text", "purchase_price": "money"},
    "Extract exchange rate and due date.": {"exchange_rate": "number", "due_date": "text"},
    "Extract line amounts and comment.": {"line_amounts": "money list", "comment": "text"},
    "提取净额、税率和合同编号。": ("money", "number", "text"),
}


@every_row(("statement", "types"), TYPES.items())
def test_the_type_of_a_field_follows_from_its_noun(statement: str, types: Any) -> None:
    fields = made([(Tag.EXTRACT, statement)], [], report=False).readings[0].fields
    if isinstance(types, dict):
        assert {field.name: field.type.value for field in fields} == types
    else:
        assert tuple(field.type.value for field in fields) == types


LABELS = {
    "Rate the urgency as low, medium or high.": "urgency",
    "Classify the ticket as bug, question or praise.": "kind",
    "Classify the answer as accept, wait or refuse.": "verdict",
    "将工单分类为故障、咨询或投诉。": "kind",
}


@every_row(("statement", "name"), LABELS.items())
def test_a_label_is_named_after_a_quality_or_a_report_field_and_else_kind(statement: str, name: Any) -> None:
    assert made([(Tag.CLASSIFY, statement)], []).readings[0].fields[0].name == name


OF_MANY = (
    (Tag.CLASSIFY, "Rate each risk as low, medium or high."),
    (Tag.CLASSIFY, "Sort the messages into urgent, normal and later."),
    (Tag.EXTRACT, "Extract rows with year, amount and reason from the table."),
    (Tag.EXTRACT, "Collect title and author of every request."),
    (Tag.EXTRACT, "Extract what matters."),
)


@every_row("step", OF_MANY)
def test_what_is_read_of_many_things_or_not_named_stays_prose(step: Any) -> None:
    workflow = made([step], [])
    assert workflow.readings == ()
    assert isinstance(workflow.steps[0], Prose)


def test_a_second_reading_is_named_after_its_phase_or_numbered() -> None:
    workflow = made([(Tag.EXTRACT, READ), (Tag.QUERY, "Look at the archive."), (Tag.CLASSIFY, KIND)], [])
    assert [type(step) for step in workflow.steps] == [Reading, Prose, Reading]
    assert [reading.class_name for reading in workflow.readings] == ["Reading", "WorkReading"]


STOPS = {
    "If the letter is an advertisement, stop here and say so.": ("kind", ("advertisement",)),
    "If it is a complaint or an advertisement, stop.": ("kind", ("complaint", "advertisement")),
    "Stop if the letter is an advertisement.": ("kind", ("advertisement",)),
    "If the form number is missing, stop here.": ("form_number", ("no form number",)),
    "If there is no contract number, stop and tell the user why.": (
        "contract_number",
        ("no contract number",),
    ),
    "When the net amount is not printed, do not continue.": ("net_amount", ("no net amount",)),
    "Si la lettre est une complaint, arrête-toi ici.": ("kind", ("complaint",)),
    "Si la carta es un order o una complaint, detente.": ("kind", ("order", "complaint")),
    "Falls der Brief eine complaint ist, brich ab.": ("kind", ("complaint",)),
    "如果文件是order或complaint，停止处理并说明原因。": ("kind", ("order", "complaint")),
}


@every_row(("statement", "expected"), STOPS.items())
def test_stop_conditions_are_branches_on_what_was_read(statement: str, expected: Any) -> None:
    (stop,) = ruled(statement).stops
    assert (stop.operand.field, stop.reasons) == expected


NO_STOPS = (
    "If the letter is a birthday card, stop here.",
    "If the letter is an advertisement, stop and ask the user for an order.",
    "If the letter is an advertisement, answer kindly.",
    "If the weather is bad, stop.",
    "Stop asking questions when the user is annoyed.",
    "Never stop.",
)


@every_row("statement", NO_STOPS)
def test_other_conditions_are_no_stops(statement: Any) -> None:
    assert ruled(statement).stops == ()


CALLS = {
    CALL: ("get_contract", "contract", "", ""),
    "Fetch the contract from `https://erp.example.org/c/{number}`; send `ERP_TOKEN` as bearer token.": (
        "get_contract",
        "contract",
        "ERP_TOKEN",
        "Authorization",
    ),
    "Look up the form from https://f.example.org/{form_number}, send F_KEY in the X-Api-Key header.": (
        "get_form",
        "form",
        "F_KEY",
        "X-Api-Key",
    ),
    "Get the sheet from https://f.example.org/sheets/{contract_number}/rows.": (
        "get_sheet",
        "contract_number",
        "",
        "",
    ),
}


@every_row(("statement", "expected"), CALLS.items())
def test_an_address_with_one_known_part_is_called_without_asking_the_model(
    statement: str, expected: Any
) -> None:
    workflow = made([(Tag.EXTRACT, READ), (Tag.ORCHESTRATE, statement)], [])
    (call,) = workflow.calls
    assert (call.function, call.field.name, call.endpoint.secret, call.endpoint.header) == expected
    assert call.endpoint.host.endswith("example.org")


NO_CALLS = (
    "Get the contract from https://erp.example.org/contracts.",
    "Get the contract from https://erp.example.org/{number}/{year}.",
    "Get the page from https://erp.example.org/{number}.",
    "Post the contract to https://erp.example.org/contracts/{contract_number}.",
    "Get the contract from http://erp.example.org/{number}.",
    "Get the contract from https://erp.example.org/{number} and ERP_TOKEN goes somewhere.",
)


@every_row("statement", NO_CALLS)
def test_other_addresses_are_left_to_the_model(statement: Any) -> None:
    assert made([(Tag.EXTRACT, READ), (Tag.ORCHESTRATE, statement)], []).calls == ()


CHECKS = {
    "Compare the net amount with the contract's net amount. A difference of up to 2 % is rounding.": (
        "compare_net_amount",
        "net amount against contract",
        "equals",
        ("contract.net_amount",),
        "2%",
    ),
    "Compare the net amount with the contract.": (
        "compare_net_amount",
        "net amount against contract",
        "equals",
        ("contract.net_amount",),
        "",
    ),
    "Compare the total amount to the net amount, within 0.05 euros.": (
        "compare_total_amount",
        "total amount against net amount",
        "equals",
        ("reading.net_amount",),
        "0.05",
    ),
    "Check the total amount against the price in the contract (± 1,5 %).": (
        "check_total_amount",
        "total amount against price in the contract",
        "equals",
        ("contract.price",),
        "1.5%",
    ),
    "Verify that the total amount equals the net amount plus tax.": (
        "verify_total_amount",
        "total amount is net amount plus tax",
        "is, plus a percentage,",
        ("reading.net_amount", "reading.tax_rate"),
        "",
    ),
    "Make sure the total amount is the sum of the net amount and 4.50.": (
        "check_total_amount",
        "total amount is net amount plus 4.50",
        "is the sum of",
        ("reading.net_amount", "4.50"),
        "",
    ),
    "Confirm that the net amount is the total amount minus 10.": (
        "confirm_net_amount",
        "net amount is total amount minus 10",
        "is the difference of",
        ("reading.total_amount", "10"),
        "",
    ),
    "Check that the net amount does not exceed 25 % of the total amount.": (
        "check_net_amount",
        "net amount is at most 25 % of total amount",
        "is at most",
        ("reading.total_amount",),
        "",
    ),
    "Check that the number of pages is at least 2.": (
        "check_number_of_pages",
        "number of pages is at least 2",
        "is at least",
        ("2",),
        "",
    ),
    "Verify that the total amount is greater than the net amount.": (
        "verify_total_amount",
        "total amount is more than net amount",
        "is more than",
        ("reading.net_amount",),
        "",
    ),
    "Check whether the net amount is below 10,000 euros.": (
        "check_net_amount",
        "net amount is less than 10,000 euros",
        "is less than",
        ("10000",),
        "",
    ),
    "Check that a contract number is given.": (
        "check_contract",
        "contract number is given",
        "is given",
        (),
        "",
    ),
    "Compare the sender name with the contract's sender name.": (
        "compare_sender",
        "sender name against contract's sender name",
        "is the same as",
        ("contract.sender_name",),
        "",
    ),
    "Vergleiche net amount mit total amount. Eine Abweichung bis 3 % ist Rundung.": (
        "check_net_amount",
        "net amount against total amount",
        "equals",
        ("reading.total_amount",),
        "3%",
    ),
    "Prüfe, ob der total amount größer als der net amount ist.": (
        "check_total_amount",
        "total amount is more than net amount",
        "is more than",
        ("reading.net_amount",),
        "",
    ),
    "Vérifie que le total amount est supérieur au net amount.": (
        "check_total_amount",
        "total amount is more than net amount",
        "is more than",
        ("reading.net_amount",),
        "",
    ),
    "Verifica que el total amount sea igual al net amount más 5.": (
        "check_total_amount",
        "total amount is net amount plus 5",
        "is the sum of",
        ("reading.net_amount", "5"),
        "",
    ),
    "Verifique que o total amount não ultrapassa 500.": (
        "check_total_amount",
        "total amount is at most 500",
        "is at most",
        ("500",),
        "",
    ),
    "核对total amount是否不超过500。": (
        "check_total_amount",
        "total amount is at most 500",
        "is at most",
        ("500",),
        "",
    ),
}


@every_row(("statement", "expected"), CHECKS.items())
def test_checks_of_known_wording_are_calculations(statement: str, expected: Any) -> None:
    (check,) = after_reading(statement).checks
    found = check.calculation
    named = tuple(o.number or f"{o.variable}.{o.field}" for o in found.right)
    tolerance = f"{found.tolerance.limit}{'%' * found.tolerance.percent}" if found.tolerance else ""
    assert (check.function, check.title, found.relation.value, named, tolerance) == expected


def test_amounts_of_a_list_add_up() -> None:
    steps = [
        (Tag.EXTRACT, "Extract line amounts and grand total."),
        (Tag.VALIDATE_DOMAIN, "Check that the line amounts add up to the grand total."),
    ]
    (check,) = made(steps, []).checks
    assert (check.calculation.relation.value, check.calculation.right[0].field) == (
        "is the total of",
        "line_amounts",
    )


NO_CHECKS = (
    "Compare the net amount with the contract; read `tolerances.csv` for the allowed difference.",
    "Compare the net amount with the contract. Be generous.",
    "Compare the net amount with last year's net amount.",
    "Check that the form number was not booked before.",
    "Check that the form number equals the net amount.",
    "Check that the total amount equals the net amount plus postage.",
    "Check that the net amount is plausible.",
    "Check that each net amount is above 10.",
    "Check the sender.",
    "Check that the net amount is at most 10, unless the sender is a friend.",
    "Check that the sender name is greater than 5.",
    "核对合同是否有效。",
)


@every_row("statement", NO_CHECKS)
def test_checks_of_any_other_wording_stay_prose(statement: Any) -> None:
    workflow = after_reading(statement)
    assert workflow.checks == ()
    assert len(workflow.open_checks) == 1
    assert "checks" in [field.name for field in workflow.decided]


FIELD_RULES = {
    "If every check passes, answer `accept`.": ("verdict", "accept", False, "every check passed", "", ""),
    "If a check fails, recommend refuse.": ("verdict", "refuse", False, "a check failed", "", ""),
    "If any of the checks cannot be made, set the verdict to wait and name the missing piece.": (
        "verdict",
        "wait",
        False,
        "a check could not be made",
        "",
        "If any of the checks cannot be made, name the missing piece.",
    ),
    "If the letter is an advertisement, choose `refuse`.": (
        "verdict",
        "refuse",
        False,
        "a label is one of",
        "kind",
        "",
    ),
    "If the form number is missing, the verdict is wait.": (
        "verdict",
        "wait",
        False,
        "a field is empty",
        "form_number",
        "",
    ),
    "If the total amount is above 10,000, recommend wait.": (
        "verdict",
        "wait",
        False,
        "a calculation holds",
        "",
        "",
    ),
    "Never recommend `accept` for a letter without a contract number.": (
        "verdict",
        "accept",
        True,
        "a field is empty",
        "contract_number",
        "",
    ),
    "Never answer accept if a check fails.": ("verdict", "accept", True, "a check failed", "", ""),
    "Si un contrôle échoue, recommande `refuse`.": ("verdict", "refuse", False, "a check failed", "", ""),
    "Wenn alle Prüfungen bestanden sind, empfiehl `accept`.": (
        "verdict",
        "accept",
        False,
        "every check passed",
        "",
        "",
    ),
    "如果有检查失败，建议refuse。": ("verdict", "refuse", False, "a check failed", "", ""),
}


@every_row(("statement", "expected"), FIELD_RULES.items())
def test_rules_about_values_of_the_report_are_checked(statement: str, expected: Any) -> None:
    polarity = Polarity.FORBIDS if "ever" in statement[:5] else Polarity.OBLIGES
    (rule,) = ruled(statement, polarity).field_rules
    operand = rule.condition.operand
    found = (
        rule.field,
        rule.value,
        rule.forbidden,
        rule.condition.when.value,
        operand.field if operand else "",
        rule.remainder,
    )
    assert found == expected
    assert rule.text == (statement if not rule.remainder else rule.text)


NO_FIELD_RULES = (
    "If every check passes, celebrate.",
    "If every check passes, answer `maybe`.",
    "If every check passes, answer `accept`, unless it is Friday.",
    "If the sender is rude, recommend refuse.",
    "Never recommend `accept` for a letter without a stamp.",
    "Recommend refuse.",
)


@every_row("statement", NO_FIELD_RULES)
def test_other_rules_stay_with_the_judge(statement: Any) -> None:
    workflow = ruled(statement)
    assert workflow.field_rules == ()
    assert workflow.text_rules == ()


TEXT_RULES = {
    "Keep the comment under 40 words.": ("comment", "max_words", 39),
    "The comment must not exceed 3 sentences.": ("comment", "max_sentences", 3),
    "Do not use exclamation marks.": ("", "no_exclamation_marks", 0),
    "Never use emoji.": ("", "no_emoji", 0),
}


@every_row(("statement", "expected"), TEXT_RULES.items())
def test_rules_about_the_wording_of_a_field_are_checked_in_it(statement: str, expected: Any) -> None:
    polarity = Polarity.FORBIDS if statement.startswith(("Do not", "Never")) else Polarity.OBLIGES
    (rule,) = ruled(statement, polarity).text_rules
    assert (rule.field, rule.check.kind, rule.check.limit) == expected


def test_limits_on_the_whole_reply_do_not_hold_for_the_joined_fields() -> None:
    assert ruled('End your reply with "Kind regards".').text_rules == ()
    assert ruled("Keep replies under 40 words.").text_rules == ()


def test_the_outcomes_fill_their_field_when_every_check_is_a_calculation() -> None:
    workflow = after_reading("Compare the net amount with the contract.")
    assert workflow.outcomes == "checks"
    assert [type(step) for step in workflow.steps] == [Reading, KnownCall, Check]


def test_a_stop_in_a_later_section_follows_its_reading() -> None:
    workflow = made(
        [(Tag.EXTRACT, READ), (Tag.CLASSIFY, KIND), (Tag.QUERY, "Look at the archive.")],
        [(Polarity.OBLIGES, "If the letter is an advertisement, stop.")],
    )
    assert [type(step) for step in workflow.steps] == [Reading, Prose, Stop]


WORDS = st.sampled_from(
    [
        "if",
        "the letter",
        "is a",
        "order",
        "stop",
        "compare",
        "net amount",
        "with",
        "contract",
        "within 2 %",
        ",",
        ".",
        ";",
        "plus",
        "equals",
        "check that",
        "never recommend",
        "accept",
        "without",
        "https://x.example.org/{number}",
        "extract",
        "and",
        "or",
        "as",
        "如果",
        "等于",
        "。",
        "`",
        "(",
        ")",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS | st.text(max_size=8), max_size=25).map(" ".join), st.sampled_from(list(Tag)))
def test_no_statement_ever_raises(statement: str, tag: Tag) -> None:
    made([(Tag.EXTRACT, READ), (Tag.CLASSIFY, KIND), (tag, statement)], [(Polarity.OBLIGES, statement)])
