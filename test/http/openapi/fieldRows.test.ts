import { expect } from 'chai';
import { fieldRows, kindOf } from '../../../src/http/openapi/fieldRows.ts';

describe('The rows of a body', () => {
  it('name each field with its way there', () => {
    const contacts = { type: 'array' as const, items: { $ref: '#/components/schemas/Contact' } };
    const schema = {
      type: 'object' as const,
      properties: { done: { type: 'boolean' as const }, contacts },
      required: ['done'],
    };
    expect(fieldRows(schema, { Contact: contact() })).to.deep.equal([
      { name: 'done', kind: 'true or false', isRequired: true, about: '' },
      { name: 'contacts', kind: 'list of objects', isRequired: false, about: '' },
      { name: 'contacts[].id', kind: 'text', isRequired: true, about: '' },
    ]);
  });

  it('hold the fields of every alternative, each once', () => {
    const one = contact();
    const other = { type: 'object' as const, properties: { gone: { type: 'boolean' as const } } };
    const names = fieldRows({ anyOf: [one, other] }, {}).map(({ name }) => name);
    expect(names).to.deep.equal(['id', 'gone']);
  });

  it('say in words what a value is', () => {
    const kinds = [
      kindOf({ type: ['string', 'null'] }, {}),
      kindOf({ type: 'string', format: 'date-time' }, {}),
      kindOf({ type: 'string', maxLength: 40 }, {}),
      kindOf({ type: 'integer', minimum: 1, maximum: 500 }, {}),
      kindOf({ enum: ['confirm', 'ignore'] }, {}),
      kindOf({ const: true }, {}),
      kindOf({ type: 'array', items: { type: 'string' }, maxItems: 5 }, {}),
    ];
    expect(kinds).to.deep.equal([
      'text or null',
      'text, ISO 8601 in UTC',
      'text, at most 40',
      'whole number, 1 to 500',
      'one of confirm, ignore',
      'always true',
      'list of texts, at most 5',
    ]);
  });
});

function contact() {
  return { type: 'object' as const, properties: { id: { type: 'string' as const } }, required: ['id'] };
}
