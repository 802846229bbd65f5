import type { Page } from 'playwright-core';

/** The rules of axe that look at nothing but colours. */
export const COLOURS = ['color-contrast', 'link-in-text-block'];

/** So many of a look are judged: axe can't tell the colours of what another element covers. */
const OF_EACH = 3;

/**
 * What the colours of an element depend on: where it stands, by names and classes, and how it and what is around it are
 * drawn. Two elements with the same look have the same contrast, on whichever page and at whichever width.
 */
const LOOKS = `
  // 53 bits of a text (cyrb53).
  const shorten = text => {
    let [a, b] = [0xdeadbeef, 0x41c6ce57];
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      a = Math.imul(a ^ code, 2654435761);
      b = Math.imul(b ^ code, 1597334677);
    }
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
    return ((b & 0x1fffff) * 2 ** 32 + (a >>> 0)).toString(36);
  };
  const known = new Map([[null, '']]);
  const drawn = element => {
    if (!known.has(element)) {
      const { color, backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      const own = [element.localName, element.getAttribute('class'), color, backgroundColor, backgroundImage, opacity];
      known.set(element, shorten([...own, drawn(element.parentElement)].join('<')));
    }
    return known.get(element);
  };
  const lookOf = element => {
    const { fontSize, fontWeight, textDecorationLine } = getComputedStyle(element);
    return shorten([fontSize, fontWeight, textDecorationLine, drawn(element)].join('<'));
  };
  // Signs alone are no text to axe.
  const isWritten = element =>
    element.matches('input, select, textarea') ||
    [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && /[^\\s!-\\/:-@[-\`{-~]/.test(data));
  // Words for screen readers stand in a box of one pixel, or beside the page.
  const seen = new Map([[null, true]]);
  const isSeen = element => {
    if (!seen.has(element)) {
      const { width, height, right, bottom } = element.getBoundingClientRect();
      const isClipped = width <= 1 && height <= 1 && getComputedStyle(element).overflowX === 'hidden';
      const isBeside = (width > 0 && right <= 0) || (height > 0 && bottom <= 0);
      seen.set(element, !isClipped && !isBeside && isSeen(element.parentElement));
    }
    return seen.get(element);
  };
  const written = [...document.body.querySelectorAll('*:not(option)')].filter(
    element => isWritten(element) && element.checkVisibility() && isSeen(element),
  );
`;

/** Why axe can't tell the colours of any element with a look. Where one is covered, it is judged in the next place. */
const NEVER_TOLD = ['pseudoContent', 'bgGradient', 'imgNode'];

type Judgement = { violations: string[]; settled: string[] };

/** The looks that axe passed, or can't judge in any place. */
const settled = new Set<string>();

/**
 * What axe, which is loaded, complains of in the colours of a page as it is drawn: of elements with a look that it did not
 * judge before in this colour scheme.
 */
export async function judgeColours(page: Page, colorScheme: string): Promise<string[]> {
  const looks = await page.evaluate<string[]>(`(() => { ${LOOKS} return written.map(lookOf); })()`);
  const unknown = [...Map.groupBy(looks.keys(), place => `${colorScheme} ${looks[place]}`)]
    .filter(([look]) => !settled.has(look))
    .flatMap(([, places]) => places.slice(0, OF_EACH));
  if (unknown.length === 0) return [];
  const found = await page.evaluate<Judgement>(`(async () => {
    ${LOOKS}
    const include = ${JSON.stringify(unknown)}.map(place => written[place]);
    const { violations, passes, incomplete } = await axe.run({ include }, {
      runOnly: { type: 'rule', values: ${JSON.stringify(COLOURS)} },
      resultTypes: ['violations', 'passes', 'incomplete'],
      selectors: false,
      elementRef: true,
    });
    const isNeverTold = ({ any }) => any.some(({ data }) => ${JSON.stringify(NEVER_TOLD)}.includes(data?.messageKey));
    const contrast = rules => rules.filter(({ id }) => id === 'color-contrast').flatMap(({ nodes }) => nodes);
    return {
      violations: violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, any }) => [id + ':', html, any[0]?.message].join(' '))),
      settled: [...contrast(passes), ...contrast(incomplete).filter(isNeverTold)].map(({ element }) => lookOf(element)),
    };
  })()`);
  if (found.violations.length === 0) for (const look of found.settled) settled.add(`${colorScheme} ${look}`);
  return found.violations;
}
