import { devSettings } from './settings';
import { usage } from './usage';

describe('npm start -- --help', () => {
  it('names the option and every setting with what it is', () => {
    const text = usage().join('\n');
    expect(text).toContain('--verbose');
    for (const [name, { about }] of Object.entries(devSettings)) {
      expect(text).toMatch(new RegExp(`^  ${name} +${about.replace(/[$.()]/g, '\\$&')}$`, 'm'));
    }
  });
});
