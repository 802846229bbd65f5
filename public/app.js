// What HTML and htmx can't do by themselves. Every page works without this file.

// htmx puts off its own start, and a key or click before that would load a whole page.
htmx.process(document.body);

const BUSY = 'button[aria-busy="true"]';

/** A busy button says what it does and keeps the focus: it is not disabled. */
function startBusy(form) {
  for (const button of form.querySelectorAll('button[data-busy]')) {
    button.dataset.label = button.innerHTML;
    button.textContent = button.dataset.busy;
    button.setAttribute('aria-busy', 'true');
  }
}

function endBusy(form) {
  for (const button of form.querySelectorAll(BUSY)) {
    button.innerHTML = button.dataset.label;
    button.removeAttribute('aria-busy');
  }
}

/** A second submit while the first is on its way is dropped, before htmx or the browser see it. */
function dropWhileBusy(event) {
  if (!event.target.querySelector(BUSY)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

addEventListener('submit', dropWhileBusy, { capture: true });

// The second half of a double click would press the button of what has come meanwhile.
addEventListener('click', event => {
  if (event.detail > 1 && event.target.closest('button')?.form) event.preventDefault();
});
addEventListener('submit', event => startBusy(event.target));
addEventListener('htmx:finally:request', ({ detail }) => {
  if (detail.ctx.sourceElement.matches('form')) endBusy(detail.ctx.sourceElement);
});

// The back button may show a page as it was left.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) for (const form of document.forms) endBusy(form);
});

const isPoll = ({ sourceElement }) => sourceElement.matches('[hx-trigger^="every"]');

addEventListener('htmx:before:request', event => {
  const polls = isPoll(event.detail.ctx);
  // Hidden tabs don't poll.
  if (document.hidden && polls) event.preventDefault();
  // What went wrong before is over once it is tried again.
  if (!polls) for (const words of document.querySelectorAll('#problem > *, .not-saved')) words.remove();
});

// Beside the button that was used, where the user is looking.
function sayNotSaved(form, submitter) {
  const words = document.querySelector('#not-saved').content.cloneNode(true);
  words.querySelector('button').onclick = () => form.requestSubmit(submitter);
  submitter.closest('li').append(words);
}

// No answer at all.
addEventListener('htmx:error', ({ detail }) => {
  if (!detail.ctx || isPoll(detail.ctx)) return;
  const { sourceElement: form, request } = detail.ctx;
  if (request.submitter?.closest('[data-row]')) return sayNotSaved(form, request.submitter);
  const words = document.querySelector('#unreachable')?.content.cloneNode(true);
  if (words) document.querySelector('#problem').replaceChildren(words);
});

const TYPED = 'typed';
const isSecret = ({ type, autocomplete }) => type === 'password' || type === 'hidden' || autocomplete === 'one-time-code';

/** The session has ended: what was typed, or pressed in a row, waits in this tab until they are signed in again. */
function keepTyped({ action, elements }, submitter) {
  const pressed = submitter?.form?.id === 'act' && { action: submitter.formAction, value: submitter.value };
  const values = [...elements].map(field => (isSecret(field) ? null : { value: field.value, checked: field.checked }));
  sessionStorage.setItem(TYPED, JSON.stringify({ action, values, pressed }));
}

function giveBackTyped() {
  const kept = sessionStorage.getItem(TYPED);
  if (!kept) return;
  const { action, values, pressed } = JSON.parse(kept);
  if (pressed) {
    if (!document.querySelector('#act')) return;
    sessionStorage.removeItem(TYPED);
    const buttons = [...document.querySelectorAll('[formaction]')];
    return buttons.find(one => one.formAction === pressed.action && one.value === pressed.value)?.click();
  }
  const form = [...document.forms].find(form => form.action === action && form.elements.length === values.length);
  if (!form) return;
  sessionStorage.removeItem(TYPED);
  for (const [i, field] of values.entries()) if (field) Object.assign(form.elements[i], field);
}

addEventListener('htmx:response:error', ({ detail: { ctx } }) => {
  if (ctx.response.status === 401 && ctx.sourceElement.matches('form')) keepTyped(ctx.sourceElement, ctx.request.submitter);
});
/** Off while someone types or holds another key. */
function mayPress({ ctrlKey, metaKey, altKey, repeat, target }) {
  if (document.documentElement.dataset.keys === 'off') return false;
  if (ctrlKey || metaKey || altKey || repeat || document.querySelector('dialog[open]')) return false;
  return !target.closest('input:not(.pick), textarea, select, [contenteditable]');
}

/** One key for one button or link that is shown; those of a row belong to promises.js. */
function pressKey(event) {
  if (!mayPress(event)) return;
  const wanted = [...document.querySelectorAll('[data-key]')].filter(one => !one.closest('[data-row]'));
  const found = wanted.find(one => one.dataset.key === event.key.toLowerCase() && one.offsetParent);
  if (!found) return;
  event.preventDefault();
  found.click();
}

addEventListener('keydown', pressKey);

const sourceOf = sentence => document.getElementById(sentence.hash.slice(1));

/** The address may name the panel: then it is open until it is closed here. */
function showSource(sentence) {
  const panel = sourceOf(sentence);
  if (!panel) return;
  sentence.setAttribute('aria-current', 'true');
  panel.classList.add('is-open');
  panel.classList.remove('is-closed');
  document.querySelector('#say').textContent = panel.firstElementChild.textContent.trim();
}

function hideSource(sentence) {
  sentence.removeAttribute('aria-current');
  sourceOf(sentence)?.classList.replace('is-open', 'is-closed');
}

const openSentences = () => document.querySelectorAll('.sent[aria-current]');

// Who said a sentence and when, in its place and one at a time.
addEventListener('click', event => {
  const sentence = event.target.closest('a.sent');
  if (!sentence || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  // The end of marking a piece of text.
  if (event.detail > 0 && !getSelection().isCollapsed) return;
  const wasOpen = sentence.matches('[aria-current]');
  for (const open of openSentences()) hideSource(open);
  if (!wasOpen) showSource(sentence);
});

addEventListener('keydown', event => {
  if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return;
  if (event.target.closest?.('input, textarea, select')) return;
  for (const sentence of openSentences()) {
    hideSource(sentence);
    sentence.focus({ preventScroll: true });
  }
});

/** The page may begin with a panel that its address names. */
function showNamedSource() {
  const named = [...document.querySelectorAll('a.sent')].find(({ hash }) => hash === location.hash);
  if (named) showSource(named);
}

const TOAST_MS = 8000;
const toasts = new WeakSet();

/** Goes away by itself, but not while someone is about to use it. */
function letGo(toast) {
  if (toasts.has(toast)) return;
  toasts.add(toast);
  const end = () => (toast.matches(':hover, :focus-within') ? setTimeout(end, 1000) : toast.remove());
  setTimeout(end, TOAST_MS);
}

/** No one should have to look for their own time zone among hundreds. */
function guessZone() {
  const select = document.querySelector('select[data-guess-zone]');
  if (!select) return;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (!timeZone) return;
  select.value = timeZone;
  // Browsers may know a zone by another name.
  if (!select.value) select.add(new Option(timeZone, timeZone, true, true));
  delete select.dataset.guessZone;
}

/** In lists that scroll by themselves: the case from far down the queue, the view at the end of the row. */
function center(selector) {
  for (const mark of document.querySelectorAll(selector)) {
    const list = mark.closest('.queue, .views');
    const [left, top] = [list.clientWidth - mark.offsetWidth, list.clientHeight - mark.offsetHeight];
    list.scrollTo(mark.offsetLeft - left / 2, mark.offsetTop - top / 2);
  }
}

const showCurrent = () => center(':is(.queue, .views) [aria-current]');

// A browser scrolls to none of which a pixel shows already.
addEventListener('focusin', () => center('.views a:focus-visible'));

function settle() {
  guessZone();
  for (const part of document.querySelectorAll('[data-script][hidden]')) part.hidden = false;
  for (const toast of document.querySelectorAll('.toast')) letGo(toast);
  document.querySelector('dialog[data-opens]:not([open])')?.showModal();
}

const addressNow = () => location.pathname + location.search;
/** Of what the page shows. */
let shown = addressNow();

// Another view or day is a step: the back button takes it back.
addEventListener('htmx:before:swap', ({ detail: { ctx } }) => {
  if (!ctx.request.headers['HX-Boosted'] || ctx.response.status >= 400) return;
  history.replaceState({ top: scrollY }, '');
  history.pushState(null, '', ctx.request.action);
});

/** Whoever was in the middle of a list begins at the top of the next one, there also when the link went with it. */
function beginList() {
  const list = document.querySelector('#list');
  if (list.dataset.stays) return;
  if (list.getBoundingClientRect().top < 0) scrollTo(0, 0);
  const heading = document.activeElement === document.body && document.querySelector('#list h2');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

settle();
showCurrent();
showNamedSource();
addEventListener('DOMContentLoaded', giveBackTyped);
addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  settle();
  // A sync that tells how far it is moves nothing.
  if (!isPoll(ctx)) showCurrent();
  // Loading the page again shows what is looked at now.
  const part = document.querySelector('[data-address]');
  if (part) history.replaceState(history.state, '', part.dataset.address);
  shown = addressNow();
  if (ctx.request.headers['HX-Boosted'] && ctx.response.status < 400) beginList();
});

addEventListener('popstate', async ({ state }) => {
  if (addressNow() === shown) return;
  if (!document.querySelector('#list')) return location.reload();
  await htmx.ajax('GET', addressNow(), { source: '#views', target: '#list' });
  scrollTo(0, state?.top ?? 0);
});

// What is opened beside the page is the browser’s. htmx 4.0.1 would keep it from opening.
addEventListener(
  'click',
  event => {
    if ((event.ctrlKey || event.metaKey || event.shiftKey) && event.target.closest('a')) event.stopPropagation();
  },
  { capture: true },
);

/** Where the browser keeps the clipboard to https, the text is selected for the person to copy. */
async function copyText(button) {
  const source = document.querySelector(button.dataset.copy);
  const text = source.textContent.replace(/\s+/g, ' ').trim();
  const isCopied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (!isCopied) getSelection().selectAllChildren(source);
  document.querySelector('#say').textContent = isCopied ? 'Copied' : 'Selected. Copy it with your keyboard or menu.';
  button.querySelector('span').textContent = isCopied ? 'Copied' : 'Selected';
}

addEventListener('click', async ({ target }) => {
  target.closest('[data-close]')?.closest('dialog').close();
  const button = target.closest('[data-copy]');
  if (button) await copyText(button);
});

// The browser may give up the animation from one page to the next; the page is there all the same.
addEventListener('unhandledrejection', event => {
  if (event.reason instanceof DOMException && event.reason.message.startsWith('Transition')) event.preventDefault();
});
