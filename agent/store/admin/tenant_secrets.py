"""Credentials that name their tenant: `<tenant, base64>.<secret>`.

The tenant is part of it: every row is found by its tenant first. Only a hash of the secret is kept.
"""

from __future__ import annotations

import base64
import hashlib

from ...errors import AuthError


def join_secret(tenant_id: str, secret: str) -> str:
    """Join a tenant's name and a secret to the text of a credential.

    >>> join_secret("acme", "s3cret")
    'YWNtZQ.s3cret'
    """
    return f"{base64.urlsafe_b64encode(tenant_id.encode()).decode().rstrip('=')}.{secret}"


def split_secret(shown: str) -> tuple[str, str]:
    """Split a credential's text into (tenant, secret). Raises: AuthError."""
    tenant, _, secret = shown.partition(".")
    try:
        # Both errors below read alike, so that a client does not learn which tenants exist
        # (test_the_error_of_a_malformed_credential_reveals_no_reason).
        tenant_id = base64.urlsafe_b64decode(tenant + "=" * (-len(tenant) % 4)).decode()
    except ValueError as error:
        raise AuthError(
            "the credential is not valid", hint="Sign in again, or send a valid key or token."
        ) from error
    if not tenant_id or not tenant_id.isprintable():
        raise AuthError(
            "the credential is not valid", hint="Sign in again, or send a valid key or token."
        )
    return tenant_id, secret


def hash_secret(secret: str) -> bytes:
    """Hash a random secret for storage. SHA-256 suffices, because the secret cannot be guessed."""
    return hashlib.sha256(secret.encode()).digest()
