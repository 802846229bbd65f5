import { PEOPLE } from './peopleTable.ts';

/** A name as people write it, and what it says: given, family, company, display; kind where it is no person. */
export type NameCase = {
  written: string;
  given: string;
  family: string;
  company: string;
  display: string;
  kind: 'person' | 'company' | 'none';
};

const COMPANIES = `
Acme GmbH
Smith & Sons
Johnson and Johnson Ltd.
ООО Ромашка
株式会社田中
Deutsche Bank
Acme Support
Support Team
acme.io
7-Eleven
Tech Solutions
Магазин цветов
3M
`;

const NOBODY = `
🚀🚀
...
+49 171 3920047
Deleted Account
Unknown
CEO
Водитель
| - /
`;

export const NAMES: NameCase[] = [
  ...linesOf(PEOPLE).map(line => {
    const [written = '', says = ''] = line.split(' => ');
    const [given = '', family = '', company = '', display = ''] = says.split('|').map(part => part.trim());
    const whole = display || [given, family].filter(Boolean).join(' ');
    return { written, given, family, company, display: whole, kind: 'person' as const };
  }),
  ...linesOf(COMPANIES).map(written => ({
    ...{ written, given: '', family: '', company: written, display: written, kind: 'company' as const },
  })),
  ...linesOf(NOBODY).map(written => ({
    ...{ written, given: '', family: '', company: '', display: /\p{L}/u.test(written) ? written : '' },
    kind: 'none' as const,
  })),
];

function linesOf(text: string): string[] {
  return text.split('\n').filter(Boolean);
}
