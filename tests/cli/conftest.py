"""Commands that call a service call the web application of the service's tests."""

from tests.backend.conftest import address, app, app_settings, casebook, product_hasher, token, web

__all__ = ["address", "app", "app_settings", "casebook", "product_hasher", "token", "web"]
