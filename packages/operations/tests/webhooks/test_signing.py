"""Signatures are those of the Standard Webhooks specification."""

from __future__ import annotations

import base64

from plainloop_operations.webhooks.signing import sign, write_secret

SECRET = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")


def test_webhook_signatures_match_the_specifications_example() -> None:
    headers = sign(SECRET, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert headers == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    assert write_secret(SECRET) == "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
