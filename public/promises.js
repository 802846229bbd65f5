// Promises in lists, decided in place and by keys. A row carries `data-row`, what a key presses in it `data-key`; every page
// works without this file.

const DONE_SHOWN_MS = 4000;
const FADE_MS = 140;
const isCalm = matchMedia('(prefers-reduced-motion: reduce)');
/** Of rows that are about to go. */
const leaving = new WeakMap();

const shownRows = () => [...document.querySelectorAll('[data-row]')].filter(row => row.checkVisibility());
const currentRow = () => document.activeElement.closest('[data-row]');
const focusRow = row => (row?.querySelector('summary, a[href]') ?? document.querySelector('#main')).focus();

function step(by) {
  const rows = shownRows();
  const at = rows.indexOf(currentRow());
  const next = at < 0 ? rows.at(by > 0 ? 0 : -1) : rows[at + by];
  if (next) focusRow(next);
}

const openMenu = () => document.querySelector('[data-row] .menu[open]');
const isInClosedMenu = found => found.closest('.menu:not([open])') && !found.matches('summary');

/** Later is out of sight on a phone until the row is open. */
function reveal(row, found) {
  if (!found.checkVisibility()) row.querySelector('details').open = true;
}

function pressInRow(row, key) {
  const found = [...row.querySelectorAll('[data-key]')].find(one => one.dataset.key === key && !isInClosedMenu(one));
  if (found?.matches('summary')) reveal(row, found);
  found?.click();
  return found !== undefined;
}

/** In a group that is not selected from yet, its link does so, and marks this row. */
function select(row) {
  const mark = row.querySelector('.pick');
  if (mark) return mark.click();
  const link = row.closest('.group')?.querySelector('[data-selects]');
  if (!link) return;
  const address = new URL(link.href);
  address.searchParams.set('pick', row.id.slice(2));
  link.href = address.href;
  link.click();
}

/** Closes what is open around the focus, the innermost first. */
function closeInnermost() {
  const menu = openMenu();
  const opened = menu ?? currentRow()?.querySelector('details[open]');
  if (!opened) return;
  opened.open = false;
  focusRow(opened.closest('[data-row]'));
}

function showKeys() {
  const keys = document.querySelector('#keys');
  keys?.showModal();
  keys?.querySelector('[data-close]').focus();
}

/** Whoever uses keys needs no list of them beside the page. */
const KNOWS_KEYS = 'knowsKeys=yes; path=/; max-age=31536000; samesite=lax';

const EVERYWHERE = { j: () => step(1), k: () => step(-1), '?': () => showKeys() };

addEventListener('keydown', event => {
  if (event.key === 'Escape' && !document.querySelector('dialog[open]')) return closeInnermost();
  if (!mayPress(event) || !document.querySelector('[data-row], #keys')) return;
  const key = event.key.toLowerCase();
  const row = currentRow();
  const isPressed = EVERYWHERE[key]
    ? (EVERYWHERE[key]() ?? true)
    : row && (event.shiftKey ? key === 'x' && (select(row) ?? true) : pressInRow(row, key));
  if (!isPressed) return;
  event.preventDefault();
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all browsers
  document.cookie = KNOWS_KEYS;
});

const presser = ({ sourceElement, request }) => request.submitter ?? sourceElement;
const rowOf = ctx => presser(ctx).closest('[data-row]');
const isDone = ctx => presser(ctx).value === 'done';

// htmx sends a form to its own address, whichever button was pressed.
addEventListener('htmx:config:request', ({ detail: { ctx } }) => {
  const address = ctx.request.submitter?.getAttribute('formaction');
  if (address) ctx.request.action = address;
});

addEventListener('htmx:before:request', ({ detail: { ctx } }) => {
  const menu = openMenu();
  if (menu) menu.open = false;
  if (isDone(ctx)) rowOf(ctx)?.classList.add('is-done');
});

function leave(row, wait) {
  clearTimeout(leaving.get(row));
  leaving.set(
    row,
    setTimeout(() => fade(row, row.id), wait),
  );
}

/** Unless a newer list has made another row of it. */
function fade(row, id) {
  if (row.id !== id || !row.isConnected) return;
  row.classList.add('is-fading');
  leaving.set(
    row,
    setTimeout(() => hide(row), isCalm.matches ? 0 : FADE_MS),
  );
}

/** Hidden, not removed: Undo brings it back. Where more rows wait behind a link or the list also tells what is closed, it is read again. */
function hide(row) {
  const rows = shownRows();
  const at = rows.indexOf(row);
  if (row.contains(document.activeElement)) focusRow(rows[at + 1] ?? rows[at - 1]);
  const group = row.closest('[data-rows]');
  if (group?.querySelector('.more') || row.closest('[data-recounts]')) return refresh();
  row.hidden = true;
  if (group && !group.querySelector('[data-row]:not([hidden])')) group.hidden = true;
}

function giveBack(row) {
  clearTimeout(leaving.get(row));
  row.classList.remove('is-done', 'is-fading');
  row.hidden = false;
  const group = row.closest('[data-rows]');
  if (group) group.hidden = false;
}

/** Morphed, so that the focus and what is open stay. */
async function refresh() {
  const list = document.querySelector('[data-stays]');
  if (!list) return location.reload();
  const id = currentRow()?.id;
  const opened = list.querySelectorAll('details[open]');
  await htmx.ajax('GET', list.dataset.address, { source: '#act', target: '#list', swap: 'outerMorph' });
  for (const details of opened) details.open = true;
  if (id && !currentRow()) focusRow(document.getElementById(id));
}

async function undo(ids) {
  const rows = ids.map(id => document.getElementById(`p-${id}`));
  const areThere = rows.length > 0 && !rows.includes(null);
  if (areThere) for (const row of rows) giveBack(row);
  // The row may be of another group since.
  if (!areThere || rows[0].closest('[data-recounts]')) await refresh();
  const first = document.getElementById(`p-${ids[0]}`);
  if (first) focusRow(first);
}

addEventListener('htmx:after:swap', async ({ detail: { ctx } }) => {
  if (ctx.response.status >= 400 || ctx.request.method !== 'POST') return;
  const row = rowOf(ctx);
  const toast = ctx.sourceElement.closest('.toast');
  if (toast?.dataset.rows !== undefined) await undo(toast.dataset.rows.split(' ').filter(Boolean));
  else if (ctx.sourceElement.id === 'bulk' || presser(ctx).dataset.again !== undefined) await refresh();
  else if (row) leave(row, isDone(ctx) ? DONE_SHOWN_MS : 0);
});

function putBack({ detail: { ctx } }) {
  const row = ctx && rowOf(ctx);
  if (row) giveBack(row);
}

addEventListener('htmx:error', putBack);
addEventListener('htmx:response:error', putBack);

/** Without this file the bar says what it is about. */
function countSelected() {
  const bar = document.querySelector('#selected');
  if (bar) bar.textContent = `${document.querySelectorAll('.pick:checked').length} selected`;
}

countSelected();
addEventListener('htmx:after:swap', countSelected);
addEventListener('change', countSelected);

/** The form says whose a promise is by the name of the conversation. */
addEventListener('change', ({ target }) => {
  const otherSide = document.querySelector('#direction [value="theirs"]');
  if (otherSide && target.id === 'dialogId' && target.value) otherSide.textContent = target.selectedOptions[0].textContent;
});

addEventListener('click', ({ target }) => target.closest('[data-opens-keys]') && showKeys());
