import { expect } from 'chai';
import { scoreDay } from '../../src/clients/summarizer/reader/model.ts';
import { unpackWeights } from '../../src/clients/summarizer/reader/weights.ts';
import { asRead, readDays, readStories } from '../../training/data.ts';
import { learn } from '../../training/model.ts';
import { pack } from '../../training/packWeights.ts';

describe('Learning', () => {
  it('gives the same bytes for the same chats, and reads them back', function () {
    this.timeout(600_000);
    const days = readDays().filter((_, at) => at % 24 === 0);
    const stories = readStories().slice(0, 6);
    const model = learn(days, stories);
    const packed = pack(model);
    expect(packed.equals(pack(learn(days, stories)))).to.equal(true);
    const again = unpackWeights(packed);
    const day = asRead(days[0]!);
    expect(scoreDay(again, day).scores).to.deep.equal(scoreDay(model, day).scores);
  });
});
