import type { ImgtoolFacts, JsonObject } from '@mediagate/contracts';
import { resultOf } from './result';

const GRID = 'https://results.example/grid.png';

function factsOf(task: JsonObject, action: 'imagine' | 'describe' = 'imagine'): ImgtoolFacts {
  const result = resultOf({ imageUrl: GRID, ...task }, { action });
  if (result.kind !== 'done') throw new Error('no result');
  return result.facts as unknown as ImgtoolFacts;
}

describe('what is kept of a result', () => {
  it('is at most 64 buttons, none of an id over 256 characters, and 128 characters of a label', () => {
    const button = (index: number) => ({ customId: `MJ::JOB::pan_left::${index}`, label: 'x'.repeat(200) });
    const { buttons } = factsOf({
      buttons: [{ customId: 'x'.repeat(257) }, ...Array.from({ length: 100 }, (_, i) => button(i))],
    });
    expect(buttons).toHaveLength(63);
    expect(new Set(buttons.map(({ label }) => label.length))).toEqual(new Set([128]));
  });

  it('is at most 8192 characters of a prompt or a description', () => {
    const properties = { finalPrompt: 'x'.repeat(10_000) };
    expect(factsOf({ properties }).finalPrompt).toHaveLength(8192);
    expect(factsOf({ properties }, 'describe').description).toHaveLength(8192);
  });

  it('is cut between characters, because half of one cannot be stored', () => {
    const cut = (words: string) => factsOf({ properties: { finalPrompt: words } }).finalPrompt;
    expect(cut(`${'x'.repeat(8191)}🔄`)).toBe('x'.repeat(8191));
    expect(cut(`${'x'.repeat(8190)}🔄`)).toBe(`${'x'.repeat(8190)}🔄`);
    const [button] = factsOf({ buttons: [{ customId: 'MJ::Inpaint::1', label: `${'x'.repeat(127)}🔄` }] }).buttons;
    expect(button?.label).toBe('x'.repeat(127));
  });

  it('is no button without an id, and an emoji where a button has no label', () => {
    const buttons = [
      { label: 'U1' },
      { customId: 'MJ::JOB::reroll::0', label: '', emoji: '🔄' },
      { customId: 'MJ::Inpaint::1' },
      null,
      'U2',
    ];
    expect(factsOf({ buttons }).buttons).toEqual([
      { customId: 'MJ::JOB::reroll::0', label: '🔄' },
      { customId: 'MJ::Inpaint::1', label: '' },
    ]);
  });

  it('is no button that no operation presses', () => {
    const pressed = [
      'MJ::JOB::animate_high_extend::1::h::SOLO',
      'MJ::JOB::upsample_v7_2x_subtle::1::h',
      'MJ::Outpaint::75::1::h',
    ];
    const others = ['MJ::CustomZoom::h', 'MJ::Job::PicReader::all', 'MJ::Picread::Retry', 'MJ::Job::PromptAnalyzer::5'];
    const buttons = [...others, ...pressed].map((customId) => ({ customId, label: '' }));
    expect(factsOf({ buttons }).buttons.map(({ customId }) => customId)).toEqual(pressed);
  });
});
