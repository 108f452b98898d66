import type { Locator, Page } from 'playwright-core';

/** A person's hands on a page: they press, type letter by letter, choose, and say why. */
export function dialogOf(page: Page): Locator {
  return page.getByRole('dialog');
}

export function press(inside: Page | Locator, name: string | RegExp): Promise<void> {
  return inside.getByRole('button', { name, exact: typeof name === 'string' }).click();
}

/** Waits until the element has the focus: keys go to what has it. */
export function focusOn(element: Locator): Promise<void> {
  return element.and(element.page().locator(':focus')).waitFor();
}

/** Types over the field's text, letter by letter: a field may read what is half typed. */
export async function type(field: Locator, text: string): Promise<void> {
  await field.click();
  await field.press('ControlOrMeta+A');
  await field.press('Backspace');
  await field.pressSequentially(text);
}

export function fieldOf(inside: Page | Locator, name: string): Locator {
  return inside.getByRole('textbox', { name, exact: true });
}

/** Opens a menu by its button, and chooses there. */
export async function choose(page: Page, menu: string | RegExp, item: string): Promise<void> {
  await press(page, menu);
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

/** Says why, and presses what the dialog is for. */
export async function ask(page: Page, action: string | RegExp, reason: string): Promise<void> {
  await fieldOf(dialogOf(page), 'Reason').fill(reason);
  await press(dialogOf(page), action);
}

/** As `ask`, and waits until it is done and the dialog is gone. */
export async function confirm(page: Page, action: string | RegExp, reason: string): Promise<void> {
  await ask(page, action, reason);
  await dialogOf(page).waitFor({ state: 'detached' });
}

/** The fault of a field that the page shows at that field. */
export async function faultAt(field: Locator): Promise<string> {
  await field.and(field.page().locator('[aria-invalid="true"]')).waitFor();
  const ids = (await field.getAttribute('aria-describedby')) ?? '';
  const texts = await Promise.all(
    ids
      .split(' ')
      .filter((id) => id.endsWith('error'))
      .map((id) => field.page().locator(`[id="${id}"]`).textContent()),
  );
  return texts.join(' ');
}
