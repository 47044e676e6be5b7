import json
import urllib.request

import pytest


def call(shop, method, path, body=None):
    url, key = shop
    request = urllib.request.Request(
        f"{url}{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def test_an_added_animal_is_listed(shop):
    added = call(shop, "POST", "/pets", {"name": "Rex", "categoryId": 1})

    assert added["id"] == 1
    assert call(shop, "GET", "/pets") == [added]


@pytest.mark.parametrize("name", ["Rex 1", "Rex-1"])
def test_every_test_has_a_shop_of_its_own(shop, name):
    call(shop, "POST", "/pets", {"name": name, "categoryId": 1})

    assert [animal["name"] for animal in call(shop, "GET", "/pets")] == [name]
