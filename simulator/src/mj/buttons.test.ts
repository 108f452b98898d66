import { type Button, buttonsOf } from './buttons';
import type { Image } from './image';
import type { TaskDetail } from './task';
import { readVersion } from './version';

const HASH = '3dbbd469-36af-4a0f-8f02-df6c579e7011';

const image = (width = 512, height = 512): Image => ({ words: '', seed: 0, width, height, factor: 1 });

/** The buttons of a task that has made these images. */
const made = (version: string, images: Image[], action: TaskDetail['action'] = 'UPSCALE') => {
  const [family, number] = version.startsWith('niji')
    ? (['niji', version.slice(4)] as const)
    : (['v', version] as const);
  const read = readVersion(family, number);
  if (!read) throw new Error(`no version ${version}`);
  return buttonsOf({ version: read, action, hash: HASH, work: { kind: 'images', images } });
};

const ids = (buttons: Button[]) => buttons.map(({ customId }) => customId.replace(`::${HASH}`, ''));
const upscaled = (version: string) => ids(made(version, [image()]));
const grid = (version: string) => ids(made(version, [image(), image(), image(), image()], 'IMAGINE'));

describe('buttons of a grid', () => {
  it('upscale and vary each image, and draw all anew', () => {
    const plain = [
      ...[1, 2, 3, 4].map((index) => `MJ::JOB::upsample::${index}`),
      'MJ::JOB::reroll::0::SOLO',
      ...[1, 2, 3, 4].map((index) => `MJ::JOB::variation::${index}`),
    ];
    expect(grid('7')).toEqual(plain);
    expect(grid('niji6')).toEqual(plain);
  });

  it('vary strongly and subtly from version 8 on', () => {
    for (const version of ['8', '8.1']) {
      expect(grid(version)).toEqual(
        expect.arrayContaining(['MJ::JOB::low_variation::4::SOLO', 'MJ::JOB::high_variation::1::SOLO']),
      );
    }
  });

  it('carry the hash of their task', () => {
    expect(made('7', [image(), image()])[0]?.customId).toBe(`MJ::JOB::upsample::1::${HASH}`);
  });
});

describe('buttons of an upscaled image', () => {
  it.each([
    ['5.2', 'v5_2x', 'v5_4x'],
    ['6', 'v6_2x_subtle', 'v6_2x_creative'],
    ['6.1', 'v6r1_2x_subtle', 'v6r1_2x_creative'],
    ['7', 'v7_2x_subtle', 'v7_2x_creative'],
    ['niji6', 'v6_2x_subtle', 'v6_2x_creative'],
  ])('enlarge it in the manner of version %s', (version, first, second) => {
    expect(upscaled(version).slice(0, 2)).toEqual([
      `MJ::JOB::upsample_${first}::1::SOLO`,
      `MJ::JOB::upsample_${second}::1::SOLO`,
    ]);
  });

  it.each<[string, boolean]>([
    ['5.1', false],
    ['5.2', false],
    ['6', true],
    ['6.1', true],
    ['7', true],
    ['8', false],
    ['8.1', false],
    ['niji5', false],
    ['niji6', true],
  ])('of version %s pan: %s', (version, pans) => {
    const found = upscaled(version).filter((id) => id.includes('pan_'));
    expect(found).toEqual(pans ? ['left', 'right', 'up', 'down'].map((way) => `MJ::JOB::pan_${way}::1::SOLO`) : []);
  });

  it('zoom, paint over and video it; before version 5 only vary and video', () => {
    expect(upscaled('7')).toEqual(
      expect.arrayContaining([
        'MJ::Outpaint::50::1::SOLO',
        'MJ::Outpaint::75::1::SOLO',
        'MJ::Inpaint::1::SOLO',
        'MJ::JOB::animate_high::1::SOLO',
        'MJ::JOB::animate_low::1::SOLO',
      ]),
    );
    expect(upscaled('4')).toEqual([
      'MJ::JOB::low_variation::1::SOLO',
      'MJ::JOB::high_variation::1::SOLO',
      'MJ::JOB::animate_high::1::SOLO',
      'MJ::JOB::animate_low::1::SOLO',
    ]);
  });

  it('are called as the vendor calls them where they have words', () => {
    const labels = made('7', [image()]).map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(['Animate (High motion)', 'Animate (Low motion)', 'Zoom Out 1.5x']));
  });

  it('do not pan an image that would be more than four times as long as wide', () => {
    const wide = ids(made('7', [image(1536, 512)])).filter((id) => id.includes('pan_'));
    expect(wide).toEqual(['MJ::JOB::pan_up::1::SOLO', 'MJ::JOB::pan_down::1::SOLO']);
  });

  it('draw it anew rather than enlarge it once it has been enlarged', () => {
    const again = ids(made('7', [image()], 'ACTION'));
    expect([again[0], again.some((id) => id.includes('upsample'))]).toEqual(['MJ::JOB::reroll::0::SOLO', false]);
  });
});
