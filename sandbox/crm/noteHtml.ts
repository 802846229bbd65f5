import sanitize from 'sanitize-html';

const TAGS =
  'a b blockquote br code div em h1 h2 h3 h4 h5 h6 hr i li ol p pre s span strong sub sup table tbody td th thead tr u ul';

/** Keeps the text and plain markup of HTML, as the CRM does: no comments, scripts, styles, ids or classes. */
export function keptHtml(html: string): string {
  return sanitize(html, {
    allowedTags: TAGS.split(' '),
    allowedAttributes: { a: ['href', 'title'] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesAppliedToAttributes: ['href'],
    allowProtocolRelative: false,
  });
}
