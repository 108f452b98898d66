import { readPrompt } from './prompt';

const read = (text: string) => readPrompt(text, { isNiji: false });

describe('a prompt', () => {
  it('is split into links, words and flags', () => {
    const prompt = read('https://a.example/x.png a red fox --ar 16:9 --v 6.1 --seed 12 --no hats, text --iw 2 --turbo');
    expect(prompt).toMatchObject({
      links: ['https://a.example/x.png'],
      words: 'a red fox',
      version: { family: 'v', number: '6.1' },
      ratio: 16 / 9,
      seed: 12,
      mode: 'TURBO',
      fault: undefined,
    });
  });

  it('has any shape of whole numbers but lines', () => {
    expect(read('a fox --ar 139:100').ratio).toBe(1.39);
    expect(read('a fox --ar 1:14').fault).toBeUndefined();
  });

  it('names its version in full, whether it was named or not', () => {
    expect(read('a fox').full).toBe('a fox --v 7');
    expect(read('a fox --niji').full).toBe('a fox --niji');
    expect(readPrompt('a fox', { isNiji: true })).toMatchObject({
      full: 'a fox --niji 6',
      version: { family: 'niji', number: '6' },
    });
  });

  it('keeps hyphens within words', () => {
    expect(read('a well-known fox -- really')).toMatchObject({ words: 'a well-known fox -- really', fault: undefined });
  });

  it.each(['--ar 16x9', '--ar 0:1', '--ar 15:1', '--v 9', '--niji 3', '--seed -1', '--seed 4294967296'])(
    'with %s is an invalid parameter',
    (flag) => {
      expect(read(`a fox ${flag}`).fault).toMatch(/^\[Invalid parameter\] Invalid value/);
    },
  );

  it('with a flag that there is not is an invalid parameter, and so is one named as something of every object', () => {
    expect(read('a fox --quality 1 --foo 2').fault).toBe('[Invalid parameter] Unrecognized parameter(s): `--foo`');
    expect(read('a fox --constructor').fault).toMatch(/Unrecognized/);
  });
});
