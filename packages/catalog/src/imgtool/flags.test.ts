import { readFlags, readPaidFlags } from './flags';

it('reads the flags behind a prompt into fields, by their short and long names', () => {
  const flags = '--ar 3:2 --v 7 --s 250 --chaos 5 --W 10 --q 0.5 --iw 1.5 --seed 42 --stop 80 --tile --hd --fast';
  expect(readFlags({ prompt: `a fox ${flags} --no cars, people` })).toEqual({
    prompt: 'a fox',
    size: '3:2',
    version: '7',
    stylize: 250,
    chaos: 5,
    weird: 10,
    quality: 0.5,
    iw: 1.5,
    seed: 42,
    stop: 80,
    tile: true,
    hd: true,
    speed: 'fast',
    negative_prompt: 'cars, people',
  });
});

it('niji is a model, and its number the version', () => {
  expect(readFlags({ prompt: 'a fox --niji 6' })).toEqual({ prompt: 'a fox', niji: true, version: '6' });
  expect(readFlags({ prompt: 'a fox --niji' })).toEqual({ prompt: 'a fox', niji: true });
});

it('fields that were sent win over flags, blank ones do not', () => {
  expect(readFlags({ prompt: 'a fox --ar 3:2 --s 10', size: '1:1', stylize: 0 })).toEqual({
    prompt: 'a fox',
    size: '1:1',
    stylize: 0,
  });
  expect(readFlags({ prompt: 'a fox --ar 3:2', size: ' ' })).toMatchObject({ size: '3:2' });
});

it('leaves what it does not know to the vendor, and words that are no flags where they are', () => {
  for (const prompt of ['a fox', 'a--b -- c', 'a fox --sref https://example.com/a.png', 'a fox --ar']) {
    expect(readFlags({ prompt })).toEqual({ prompt });
  }
  expect(readFlags({ prompt: 'a fox --tile in snow --ar 3:2 at night' })).toEqual({
    prompt: 'a fox in snow at night',
    tile: true,
    size: '3:2',
  });
});

it('leaves values that are none for the schema to refuse', () => {
  expect(readFlags({ prompt: 'a fox --s much' })).toEqual({ prompt: 'a fox', stylize: 'much' });
});

it('reads one dash of a telephone as two', () => {
  expect(readFlags({ prompt: 'a fox \u2014ar 3:2 \u2014turbo' })).toEqual({
    prompt: 'a fox',
    size: '3:2',
    speed: 'turbo',
  });
  expect(readFlags({ prompt: 'a fox \u2014running' })).toEqual({ prompt: 'a fox \u2014running' });
});

it('of a prompt that is handed on reads only what costs more', () => {
  expect(readPaidFlags({ prompt: 'a door --turbo --ar 3:2 --repeat 9 --bs 4' })).toEqual({
    prompt: 'a door --ar 3:2',
    speed: 'turbo',
    repeat: 9,
    batch_size: 4,
  });
  expect(readPaidFlags({ prompt: 'a door --ar 3:2  --s 5' })).toEqual({ prompt: 'a door --ar 3:2  --s 5' });
});

it('takes no time over spaces, and leaves to the schema what is too long to be read', () => {
  const spaces = { prompt: `a${' '.repeat(16_000)}b` };
  const long = { prompt: `a${' '.repeat(200_000)}--turbo` };
  expect(readFlags(spaces)).toBe(spaces);
  expect(readFlags(long)).toBe(long);
});

it('reads a value behind an equals sign, and one that begins with its point', () => {
  expect(readFlags({ prompt: 'a fox --bs=4 --q .5' })).toEqual({ prompt: 'a fox', batch_size: 4, quality: 0.5 });
});

it('adds up what should not be there', () => {
  expect(readFlags({ prompt: 'a fox --no cars --ar 3:2 --no people' })).toEqual({
    prompt: 'a fox',
    size: '3:2',
    negative_prompt: 'cars, people',
  });
});

it('knows no flags by the names of what every object has', () => {
  for (const prompt of ['a fox --constructor x', 'a fox --toString y'])
    expect(readFlags({ prompt })).toEqual({ prompt });
});
