import { expect } from 'chai';
import { z } from 'zod';
import { parseInput } from '../../src/http/input.ts';
import { InvalidInput } from '../../src/lib/errors.ts';

describe('What a request says', () => {
  const schema = z.object({ name: z.string(), lines: z.array(z.object({ words: z.string() })).default([]) });
  const fieldsOf = (input: unknown) => {
    try {
      parseInput(schema, input);
    } catch (err) {
      return err instanceof InvalidInput ? err.fields : err;
    }
    return undefined;
  };

  it('is refused with half a character or a control character, however deep', () => {
    const sentence = 'This contains an invalid character.';
    for (const bad of ['a\ud800', '\udc00b', 'a\u0000', '\u001b[2J']) {
      expect(fieldsOf({ name: bad })).to.deep.equal({ name: sentence });
      const lines = [{ words: 'good' }, { words: bad }];
      expect(fieldsOf({ name: 'A', lines })).to.deep.equal({ 'lines.1.words': sentence });
    }
  });

  it('may have line breaks, tabs and emoji', () => {
    expect(fieldsOf({ name: 'A 👩‍💻\tB', lines: [{ words: 'one\r\ntwo' }] })).to.equal(undefined);
  });
});
