"""Formats of key blocks, of the `Authorization` header and of random strings, and of look-alikes of the latter."""

import re
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex

KEY_BLOCK: Final = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d")
KEY_BLOCK_END: Final = re.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: *\S+")
AUTHORIZATION: Final = LazyRegex(
    r"authorization[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"'`]?(?P<scheme>basic|bearer|token|apikey)[ \t]+"
    r"(?P<value>[^\s\\\"'`<>|,;]{8,600})",
    re.IGNORECASE,
)
IDENTIFIER: Final = re.compile(
    r"(?:acct|asst|call|ch|chatcmpl|cus|evt|file|in|msg|org|pi|pk|pk_live|pk_test|pm|price|prod|proj|re|req|resp"
    r"|run|seti"
    r"|sub|thread|toolu|txn|user)_|sha-?\d{1,3}-"
    r"|iVBORw0KGgo|R0lGOD|/9j/|UklGR|PHN2Zy|AAAA[A-Z]3NzaC1"
)
"""Prefixes of public values: ids and publishable keys of services, checksums, images and public keys in base64."""

BARE: Final = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
BEFORE_BARE: Final = re.compile(
    r"(?:sha-?\d{1,3}|md5|hash|digest|checksum|fingerprint|integrity|commit|etag|base64|ssh-\w+|ecdsa\S*"
    r"|(?:place|page|doc|document|file|folder|sheet|video|track|channel|calendar)[ _-]?id)\W{0,4}\Z",
    re.IGNORECASE,
)
