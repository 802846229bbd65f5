/** A form of a page, with what a browser would send if nothing was typed or ticked. */
export type Form = { action: string; fields: Record<string, string> };

/** Every form of a page that changes something. Of several choices the first is taken. */
export function formsOf(html: string): Form[] {
  const found = html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g);
  return [...found]
    .filter(([, tag = '']) => /method="post"/.test(tag))
    .map(([, tag = '', inside = '']) => ({ action: attribute(tag, 'action'), fields: fieldsOf(inside) }));
}

function fieldsOf(inside: string): Record<string, string> {
  const inputs = [...inside.matchAll(/<(?:input|button)\b([^>]*)>/g)].map(([, tag = '']) => tag);
  const selects = [...inside.matchAll(/<select\b([^>]*)>([\s\S]*?)<\/select>/g)].map(
    ([, tag = '', options = '']) => `${tag} value="${attribute(options, 'value')}"`,
  );
  const areas = [...inside.matchAll(/<textarea\b([^>]*)>/g)].map(([, tag = '']) => tag);
  const named = [...inputs, ...selects, ...areas].filter(tag => attribute(tag, 'name') !== '').reverse();
  return Object.fromEntries(named.map(tag => [attribute(tag, 'name'), attribute(tag, 'value')]));
}

function attribute(tag: string, name: string): string {
  const [, value = ''] = tag.match(new RegExp(`\\b${name}="([^"]*)"`)) ?? [];
  return value.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}
