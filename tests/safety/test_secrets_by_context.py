"""Secrets that only the lines around them or a distant word give away, in our own words."""

from melleafy_tui.core.source.secrets.detector import find_secrets
from melleafy_tui.core.source.secrets.masking import mask_secrets

BY_CONTEXT = (
    ("Garden door codes\n- us: 481920\n- neighbour: 730418\n", ("481920", "730418")),
    ("The old one was too short, so the password for the shed tablet is now lazyGreyHeron8.", ("lazyGreyHeron8",)),
    ("пароль от вай-фая поменяли, теперь veselaya_utka7", ("veselaya_utka7",)),
    ("Credit card (the green one) has 4816 as its PIN", ("4816",)),
    ("ssh agent phrase is paper owls hum at noon", ("paper owls hum at noon",)),
    ("Gate 7731, cellar 4482, alarm off 90813", ("7731", "4482", "90813")),
    ("Codes:\n- porch door 7731\n- loft hatch 4482\n", ("7731", "4482")),
    ("Phone lock 884413", ("884413",)),
    ("手机锁屏884413", ("884413",)),
    ("boîte à clés 7731 à gauche du portail", ("7731",)),
    ("grafana: nora / Velvet.Tin4", ("Velvet.Tin4",)),
    ("the camera at the porch (admin, heron2044)", ("heron2044",)),
    ("so set DB_PASS to Cobalt_772 on the box", ("Cobalt_772",)),
    ("The zip is encrypted, teacup77 opens it", ("teacup77",)),
    ("Spotify is now Badger-77", ("Badger-77",)),
    ('The LUKS disk opens with "seven tired otters wait"', ("seven tired otters wait",)),
    ("backup password (long): the calm mango eats gravel", ("calm mango eats gravel",)),
    ("if somebody calls, the code word, which is marmalade", ("marmalade",)),
    ("## 2FA\n- [x] a3f9c-e7721\n- [ ] b8d02-4ca19\n", ("a3f9c-e7721", "b8d02-4ca19")),
    ("Codici recupero del forum HT7K-29QM", ("HT7K-29QM",)),
    ("邮箱授权码（otter4471）登录失败，要换一个", ("otter4471",)),
    ("邮箱授权码(bcdfghjkmnpqrstv)登录失败", ("bcdfghjkmnpqrstv",)),
    ("the router password (A1C2B3D4) was refused", ("A1C2B3D4",)),
    ('"args": ["--port", "8121", "--password", "4471"]', ("4471",)),
)  # fmt: skip
WITHOUT_A_SECRET = (
    "Add a user model with password hashing",
    "See elem_001 and elem_0423 in the password section",
    'She said "the heron flew east" and laughed at the backup plan',
    "Wi-Fi: the network's name is Birdhouse_5G",
    "user anna / role editor, then open project-atlas-2",
    "öffentlicher Schlüssel vom Server: AAk3jfh2Lk3jf92mfkKf93kdPq02kfj3Lf92kdIf93k",
    "The phone order 884413 leaves gate B22 at 0815",
    "The alarm rings at 0630 and again at 0645",
    "- Tests: PASS, re-implementation of the gate (Q118)",
    "Install it on Ubuntu / Debian, then log in",
    "Never tell anyone the password, not even Mia.",
    "Locksmith for the front door: 555 0199",
    "账号密码 — 各种平台的登录信息",
    "- Admin/Moderator: may delete posts of others",
    "- [ ] Root/General",
    "Build stages: non root + healthcheck",
    "手機：0935751682",
    "Tablet lock screen: 834 x 1194, desktop 1920 × 1080",
    "## Login page\n\nBig title: 24px / 1.5rem, fades in 15.042s",
    "Card background: #334455, accent #7C3AED",
    "image: prom/otter:v2.50.1",
    "Session Key: agent:main:chat:direct:ou_f9a2ea548b1320584c1290bdee80",
    "### 4. 6407 Heron Drive SW|Calgary, Alberta T3E6A3",
    "sudo ufw allow 3001/tcp && sudo lsof -i :4001",
    "| Finding | Fix |\n|---|---|\n| Passwords in logs | remove them |\n| Old routines | `source=images` |",
    "Obsidian vault = a normal folder on disk",
    "Encryption at rest: AES-256-GCM for the diary",
    "restic -r ~/backup --insecure-no-password snapshots",
    '"next": "https://api.example.com/items?page_token=otter4471"',
    "## Key Projects",
    "Phone numbers are written without blanks (e.g. `1234567890`)",
    "- 밀가루, 한국 빵, 암호화폐에 관심\n- 매일 아침 종합 안내와 개별 조회를 사용\n- 한국어로 모든 정보를 받기를 선호",
    "Solana wallet: H7mTzqwKpVVDr4NfLSwjjBid82Gs5pYQDFErWUxxRC9e",
)


def test_secrets_are_masked_by_the_lines_and_words_around_them() -> None:
    left = [value for text, values in BY_CONTEXT for value in values if value in mask_secrets(text)]
    assert left == []


def test_words_of_other_things_stay() -> None:
    assert [mask_secrets(text) for text in WITHOUT_A_SECRET] == list(WITHOUT_A_SECRET)


def test_the_name_of_a_network_stays_beside_its_password() -> None:
    for text in ("SSID: Heron-2044\nPassword: velvet77tin", "Wifi maison → Heron2044, clé WPA : velvet77tin"):
        masked = mask_secrets(text)
        assert "2044" in masked
        assert "velvet77tin" not in masked


def test_text_of_ours_is_searched_for_direct_values_only() -> None:
    text = "Garden door codes\n- us: 481920\npassword: Kx7!mTq2wz\n"
    assert [text[span.start : span.end] for span in find_secrets(text, near=False)] == ["Kx7!mTq2wz"]


def test_no_name_of_a_variable_holds_a_part_of_another_secret() -> None:
    assert "5580" not in mask_secrets("eSIM PIN1 5580 PUK1 73190462")


def test_a_password_that_a_program_made_is_masked_in_the_cell_beside_its_label() -> None:
    head = "| what | value |\n|---|---|\n"
    for value in (
        "2+Tw-DUG5OJMzP*-MT",
        "Y0+qr%KZk9L7_D9EPj",
        "6b&*qtTFa&ZtFtqK!g",
        "hr_8wlbidxJy6",
        "h6eONMXNX9Lpbn2jApbF",
    ):
        masked = mask_secrets(f"{head}| admin password | `{value}` |\n")
        assert masked == f"{head}| admin password | `${{ADMIN_PASSWORD}}` |\n", value


TABLES = (
    "| Service | User | Password |\n|---|---|---|\n| nas | otter | {} |\n",
    "| Servicio | Contraseña |\n|---|---|\n| nas | `{}` |\n",
    "| 服务 | 用户名 | 密码 |\n|---|---|---|\n| nas | otter | {} |\n",
    "| Dienst | Zugangsdaten |\n|---|---|\n| nas | otter / {} |\n",
    "| Item | Value |\n|---|---|\n| grafana secret | {} |\n",
    "| Name | Key |\n|---|---|\n| nas | **{}** |\n",
)
MADE = (
    "z1}Wu+~vL4{%NU&y8Fn?",
    "cgT&wN9?A8nhlaQ]w{",
    "7;&0nV5@}(Zu(A~x2zr@I#",
    "9U@2*yOnL?6U:",
    "2w&W45=4",
    "aqr%@y_9NQ-5*",
)


def test_a_cell_that_a_program_made_up_is_masked_whole_in_tables_of_many_languages() -> None:
    left = [
        (table, value)
        for table in TABLES
        for value in MADE
        if not _is_whole(mask_secrets(table.format(value)))
    ]
    assert left == []


def _is_whole(masked: str) -> bool:
    cell = masked.splitlines()[2].rstrip(" |").rpartition(" ")[2].strip("`*")
    return cell.startswith("${") and cell.endswith("}")


def test_names_in_columns_for_keys_stay() -> None:
    for name in ("`apiKey`", "X-Heron-Key", "User-Agent", "`Ctrl+C`", "`#f59e0b`", "Icons.Code", "`--token`"):
        table = f"| Name | API key |\n|---|---|\n| tides | {name} |\n"
        assert mask_secrets(table) == table
