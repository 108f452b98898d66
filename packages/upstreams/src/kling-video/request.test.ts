import { withElements } from './request';

function elements(...names: string[]) {
  return names.map((name) => ({ name, description: '', imageUrls: [] }));
}

describe('elements in a prompt', () => {
  it('are called by their place in the list', () => {
    expect(withElements('@Ann meets @Tom, @Ann waves', elements('Tom', 'Ann'))).toBe(
      '<<<element_2>>> meets <<<element_1>>>, <<<element_2>>> waves',
    );
  });

  it('are not found inside longer words or names, nor without their sign', () => {
    expect(withElements('@cat, @category, a cat and @catnip', elements('cat', 'catnip'))).toBe(
      '<<<element_1>>>, @category, a cat and <<<element_2>>>',
    );
  });

  it('may be named in any script and with any sign', () => {
    expect(withElements('@小猫在跑 @a.b(c)', elements('小猫', 'a.b(c)'))).toBe('<<<element_1>>>在跑 <<<element_2>>>');
    expect(withElements('@axb', elements('a.b'))).toBe('@axb');
  });

  it('leave a prompt as it is where there are none', () => {
    expect(withElements('@someone', [])).toBe('@someone');
  });
});
