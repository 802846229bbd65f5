import type { Page } from 'playwright-core';

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
