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
Müller Bau GmbH
Smith & Sons
Johnson and Johnson Ltd.
ООО Ромашка
ИП Петров
株式会社田中
北京科技有限公司
Deutsche Bank
Acme Support
Support Team
Rose Bakery
Studio 54
Martin Garage
acme.io
Siemens AG
7-Eleven
Nordea Bank Abp
Tech Solutions
Магазин цветов
Служба поддержки
Hotel Adlon
Umbrella Trading
Banco SA Group
3M
News Channel
`;

const NOBODY = `
🚀🚀
...
+49 171 3920047
12345
Deleted Account
Unknown
Удалённый аккаунт
CEO
Sales Manager
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
