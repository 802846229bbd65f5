import type { Locator, Page } from 'playwright-core';
import { PNG } from 'pngjs';

/** Twice what browsers begin with. */
const LARGE = { standard: 32, fixed: 26 };

/** Pages this tab opens from now on have letters as large as a person may set them in the browser. */
export async function doubleLetters(page: Page): Promise<void> {
  const tools = await page.context().newCDPSession(page);
  await tools.send('Page.setFontSizes', { fontSizes: LARGE });
}

/** Elements in words they can be found by. */
const NAMED = `
  const named = element =>
    [element.localName, element.id && '#' + element.id, ...[...element.classList].map(name => '.' + name)].join('') +
    ' ' + JSON.stringify(element.textContent.trim().slice(0, 30));
`;

/** What reaches over the right edge of the page, unless it can be scrolled by itself; nothing when the page does not scroll. */
export function findSideways(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    ${NAMED}
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const isInside = ({ parentElement }) =>
      parentElement && (getComputedStyle(parentElement).overflowX !== 'visible' || isInside(parentElement));
    const found = [...document.body.querySelectorAll('*')].filter(
      element => element.getBoundingClientRect().right > width + 1 && !isInside(element),
    );
    return found.length > 0 ? found.map(named) : ['the page'];
  })()`);
}

/** What a box hides a part of: not what is for screen readers, nor what says by dots that it is only a beginning. */
export function findCut(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    ${NAMED}
    const hides = overflow => overflow === 'hidden' || overflow === 'clip';
    const isCut = element => {
      const { overflowX, overflowY, textOverflow } = getComputedStyle(element);
      const { clientWidth, clientHeight, scrollWidth, scrollHeight } = element;
      if (clientWidth <= 1 || textOverflow === 'ellipsis') return false;
      if (element.closest('.vh, [aria-hidden="true"], svg, progress, meter')) return false;
      return (hides(overflowX) && scrollWidth > clientWidth + 1) || (hides(overflowY) && scrollHeight > clientHeight + 1);
    };
    return [...document.body.querySelectorAll('*')].filter(isCut).map(named);
  })()`);
}

/** Chevrons with no words beside them, where what they open or lead to has words. */
export function findLoneChevrons(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    ${NAMED}
    const isBeside = (icon, words) => {
      const { top, height } = icon.getBoundingClientRect();
      const range = document.createRange();
      range.selectNodeContents(words);
      const middle = top + height / 2;
      return [...range.getClientRects()].some(box => box.top <= middle && box.bottom >= middle);
    };
    const isLone = icon => {
      const host = icon.closest('summary, a, button');
      const words = [...host.querySelectorAll('*')].filter(({ childNodes, className }) =>
        className !== 'vh' && [...childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== ''));
      return words.length > 0 && !words.some(element => isBeside(icon, element));
    };
    const chevrons = [...document.querySelectorAll(':is(summary, a, button) svg:has(use[href$="chev"])')];
    return chevrons.filter(icon => icon.checkVisibility() && isLone(icon)).map(icon => named(icon.closest('summary, a, button')));
  })()`);
}

/** What a finger needs, in CSS pixels. */
const FINGER = 44;

/** Controls on which a finger finds less than it needs, from top to bottom: with their labels, and with what is empty around them. */
export function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    ${NAMED}
    const CONTROLS = 'button, input:not([type=hidden]), select, textarea, summary, .btn, .tabbar a, .topbar a, .views a';
    const isOf = (seen, targets) => targets.some(target => target.contains(seen));
    const reach = targets => {
      const boxes = targets.map(target => target.getBoundingClientRect()).filter(({ height }) => height > 1);
      const box = boxes[0];
      const x = box.left + Math.min(box.width / 2, 20);
      const hits = y => isOf(document.elementFromPoint(x, y), targets);
      const middle = box.top + box.height / 2;
      const far = step => {
        let y = middle;
        while (hits(y + step) && Math.abs(y + step - middle) < 40) y += step;
        return Math.abs(y - middle);
      };
      return hits(middle) ? far(-0.5) + far(0.5) : 0;
    };
    const small = [];
    for (const control of document.body.querySelectorAll(CONTROLS)) {
      if (!control.checkVisibility({ visibilityProperty: true }) || control.closest('[inert], .vh')) continue;
      control.scrollIntoView({ block: 'center', behavior: 'instant' });
      const height = reach([control, ...(control.labels ?? [])]);
      if (height < ${FINGER} - 1) small.push(named(control) + ' ' + height);
    }
    return small;
  })()`);
}

type Focus = { name: string; isCovered: boolean };

/** What has the focus: undefined past the end of the page, `isCovered` when nothing of it or of its label shows. */
export async function lookAtFocus(page: Page): Promise<Focus | undefined> {
  const seen = await page.evaluate<Focus | undefined>(FOCUS);
  // What only shows with the focus takes a millisecond to come, even without motion.
  return seen?.isCovered ? page.evaluate<Focus | undefined>(`${STILL}.then(() => ${FOCUS})`) : seen;
}

/** What has left the screen stands still in the middle of its change, and is not waited for. */
const STILL_MS = 500;
const STILL = `Promise.race([
  Promise.allSettled(
    document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < Infinity).map(({ finished }) => finished),
  ),
  new Promise(late => setTimeout(late, ${STILL_MS})),
])`;
const FOCUS = `(() => {
    ${NAMED}
    const focused = document.activeElement;
    if (!focused || focused === document.body) return undefined;
    const isOf = (seen, element) => element.contains(seen) || (seen.contains(element) && !seen.contains(document.body));
    const shows = element => [...element.getClientRects()].some(({ left, right, top, bottom }) => {
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const corners = [left + 2, right - 2].flatMap(x => [top + 2, bottom - 2].map(y => [x, y]));
      return [[x, y], ...corners].some(([x, y]) => {
        const seen = document.elementFromPoint(x, y);
        return seen && isOf(seen, element);
      });
    });
    return { name: named(focused), isCovered: ![focused, ...(focused.labels ?? [])].some(shows) };
  })()`;

/** How a sign is taken away: an attribute gets another value or (null) goes, or what the word says. */
export type Change = [attribute: string, value: string | null] | 'unframed' | 'unchecked' | 'blurred';

type Changeable = {
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  blur(): void;
  checked: boolean;
  style: { borderColor: string };
};

/** Runs in the page. */
function apply(element: Changeable, change: Change): void {
  if (change === 'unframed') element.style.borderColor = 'Canvas';
  else if (change === 'unchecked') element.checked = !element.checked;
  else if (change === 'blurred') element.blur();
  else if (change[1] === null) element.removeAttribute(change[0]);
  else element.setAttribute(change[0], change[1]);
}

const AROUND = 6;

/** How many pixels of an element and around it are clearly others once it is changed. */
export async function seenPixels(element: Locator, change: Change): Promise<number> {
  const page = element.page();
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  if (!box) throw new Error('there is nothing to look at');
  const { x, y, width, height } = box;
  const clip = { x: x - AROUND, y: y - AROUND, width: width + 2 * AROUND, height: height + 2 * AROUND };
  const shoot = async () => PNG.sync.read(await page.screenshot({ clip }));
  const before = await shoot();
  await element.evaluate(apply, change);
  return countOthers(before, await shoot());
}

/** Pixels of two pictures whose contrast is at least the 3:1 that signs need. */
function countOthers({ data: one }: PNG, { data: other }: PNG): number {
  let count = 0;
  for (let at = 0; at < one.length; at += 4) {
    const [dark = 0, bright = 0] = [lightness(one, at), lightness(other, at)].sort((a, b) => a - b);
    if ((bright + 0.05) / (dark + 0.05) >= 3) count += 1;
  }
  return count;
}

function lightness(data: Buffer, at: number): number {
  const [red = 0, green = 0, blue = 0] = data
    .subarray(at, at + 3)
    .values()
    .map(linear);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(value: number): number {
  return value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
}
