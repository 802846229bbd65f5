/** The foot of a list over several pages: `Page 2 of 3`, '' for a single page, and the addresses of its neighbors. */
export function presentPages({ page, pages, href }: { page: number; pages: number; href: (page: number) => string }) {
  return {
    words: pages > 1 ? `Page ${page} of ${pages}` : '',
    previous: page > 1 ? href(page - 1) : undefined,
    next: page < pages ? href(page + 1) : undefined,
  };
}
