#!/usr/bin/env python3
"""Opens reports in Chromium and uses them as their readers do, for Scripts/consumers-report.

    browse_report.py FOLDER FILE...

Ends with status 1 and a line for each fault. Screenshots go to the folder. Needs selenium, chromium and its driver, and the axe.min.js of
axe-playwright-python.
"""
import importlib.util
import os
import shutil
import sys

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.chrome.service import Service

FIRST_PAINT = 1000
problems = []


def need(truth, what):
    if not truth:
        problems.append(what)
        print(f"    {what}")


def browser(scheme, **more):
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,1000", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for name, value in more.items():
        options.add_experimental_option(name, value)
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    return driver


def axe():
    folder = os.path.dirname(importlib.util.find_spec("axe_playwright_python").origin)
    with open(os.path.join(folder, "axe.min.js"), encoding="utf-8") as file:
        return file.read()


def paint(driver):
    return driver.execute_async_script(
        "const done = arguments[0]; new PerformanceObserver((list) => done(list.getEntries()"
        ".find((entry) => entry.name === 'first-contentful-paint')?.startTime ?? null))"
        ".observe({type: 'paint', buffered: true}); setTimeout(() => done(null), 5000)"
    )


def screenshot(driver, path):
    size = driver.execute_script("return [document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    shot = driver.execute_cdp_cmd("Page.captureScreenshot", {
        "captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": size[0], "height": min(size[1], 12000), "scale": 1},
    })
    import base64
    with open(path, "wb") as file:
        file.write(base64.b64decode(shot["data"]))


def check_access(driver, name):
    """Checks the rules of axe-core, after opening every section of the page."""
    driver.execute_script("for (const details of document.querySelectorAll('details')) details.open = true")
    driver.execute_script(axe())
    found = driver.execute_async_script("const done = arguments[0]; axe.run(document).then(done, (error) => done({error: String(error)}))")
    need("violations" in found, f"{name}: axe-core does not run: {found.get('error')}")
    for violation in found.get("violations", []):
        places = [node["target"] for node in violation["nodes"][:3]]
        need(False, f"{name}: axe-core: {violation['id']}: {violation['help']}, at {places}")
    driver.execute_script("for (const details of document.querySelectorAll('details')) details.open = false")
    return len(found.get("passes", []))


def check_keys(driver, name):
    """Checks sorting, searching and the map by keyboard alone."""
    active = "return document.activeElement"
    head = driver.find_element(By.XPATH, "//table[@id='sites-table']//th[button[.='live']]")
    figures = ("return [...document.querySelectorAll('#sites-table tbody tr')].filter((row) => !row.hidden).map((row) => "
               "Number(row.cells[[...document.querySelectorAll('#sites-table thead th')].findIndex((head) => head.textContent === 'live')].dataset.number))")
    head.find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
    down = driver.execute_script(figures)
    need(down == sorted(down, reverse=True) and head.get_attribute("aria-sort") == "descending", f"{name}: Enter does not sort: {down}")
    driver.execute_script(active).send_keys(Keys.SPACE)
    up = driver.execute_script(figures)
    need(up == sorted(up) and head.get_attribute("aria-sort") == "ascending", f"{name}: the blank does not turn the order: {up}")
    box = driver.find_element(By.ID, "filter")
    box.send_keys("subscribe")
    left = driver.execute_script(figures)
    need(0 < len(left) < len(up), f"{name}: the filter leaves {len(left)} of {len(up)} lines")
    need(f"{len(left)} of {len(up)} lines" == driver.find_element(By.ID, "filter-count").text, f"{name}: the filter does not count")
    box.clear()
    box.send_keys(Keys.BACK_SPACE)

    width = "return Number(document.getElementById('map-drawing').getAttribute('width'))"
    frame = driver.find_element(By.ID, "map-frame")
    before = driver.execute_script(width)
    frame.send_keys("+")
    need(driver.execute_script(width) > before, f"{name}: + does not enlarge the map")
    frame.send_keys("-")
    need(abs(driver.execute_script(width) - before) < 1, f"{name}: - does not undo it")
    frame.send_keys(Keys.TAB)
    need("node" in driver.execute_script(active).get_attribute("class"), f"{name}: Tab does not go to a box of the map")
    first = driver.execute_script(active).get_attribute("data-node")
    fed = driver.execute_script(f"return document.querySelector('.edge[data-from=\"{first}\"]')?.dataset.to ?? null")
    if fed is not None:
        driver.execute_script(active).send_keys(Keys.ARROW_RIGHT)
        need(driver.execute_script(active).get_attribute("data-node") == fed, f"{name}: → does not follow the flow")
    driver.execute_script(active).send_keys("f")
    apart = "return document.querySelectorAll('.node.apart').length"
    count = driver.execute_script("return document.querySelectorAll('.node').length")
    need("boxes are shown" in driver.find_element(By.ID, "map-status").text, f"{name}: f does not say what is shown")
    hidden = driver.execute_script(apart)
    need(hidden < count, f"{name}: f hides everything")
    driver.execute_script(active).send_keys(Keys.ESCAPE)
    need(driver.execute_script(apart) == 0, f"{name}: Esc does not show all again")
    target = driver.execute_script(active).get_dom_attribute("href").split("#")[1]
    driver.execute_script(active).send_keys(Keys.ENTER)
    need(driver.execute_script("return location.hash") == f"#{target}", f"{name}: Enter does not lead to the row")


def check_policy(driver, name):
    """Checks that the page runs no script but its own, and loads no image."""
    driver.execute_script(
        "const script = document.createElement('script'); script.textContent = 'window.broken = 1'; document.body.append(script);"
        "const image = new Image(); image.src = 'https://example.invalid/x.png'; document.body.append(image);"
    )
    need(driver.execute_script("return window.broken ?? null") is None, f"{name}: the policy lets another script run")
    refused = [entry for entry in driver.get_log("browser") if "Content Security Policy" in entry["message"]]
    need(len(refused) >= 2, f"{name}: the policy refuses {len(refused)} of 2")


def main():
    folder, files = sys.argv[1], [os.path.abspath(path) for path in sys.argv[2:]]
    for scheme in ("light", "dark"):
        driver = browser(scheme)
        for place, path in enumerate(files):
            name = f"{os.path.basename(path)} in {scheme}"
            driver.get("about:blank")
            driver.get_log("browser")
            driver.get("file://" + path)
            time = paint(driver)
            need(time is not None and time < FIRST_PAINT, f"{name}: the first paint is after {time} ms")
            screenshot(driver, os.path.join(folder, f"{os.path.basename(path)[:-5]}-{scheme}.png"))
            rules = check_access(driver, name)
            messages = [entry["message"] for entry in driver.get_log("browser")]
            need(not messages, f"{name}: the console says {messages[:3]}")
            wide = driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
            need(wide <= 0, f"{name}: the page is {wide} pixels too wide")
            print(f"    {name}: first paint after {time or 0:.0f} ms, {rules} rules of axe-core hold")
            if place == 0:
                check_keys(driver, name)
                check_policy(driver, name)
        driver.set_window_size(420, 900)
        driver.get("file://" + files[0])
        screenshot(driver, os.path.join(folder, f"narrow-{scheme}.png"))
        wide = driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
        need(wide <= 0, f"on a narrow window the page is {wide} pixels too wide")
        driver.quit()

    driver = browser("light", prefs={"profile.managed_default_content_settings.javascript": 2})
    driver.get("file://" + files[0])
    shown = driver.find_element(By.TAG_NAME, "main").text
    need("Findings" in shown and "Lines of code" in shown, "without scripts there is no text")
    need(not any(tools.is_displayed() for tools in driver.find_elements(By.CLASS_NAME, "tools")), "without scripts there are tools that do nothing")
    pdf = driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": False})["data"]
    need(len(pdf) > 10_000, "nothing is printed")
    import base64
    with open(os.path.join(folder, "printed.pdf"), "wb") as file:
        file.write(base64.b64decode(pdf))
    driver.quit()
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
