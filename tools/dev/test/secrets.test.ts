import type { Home } from '../src/home';
import { openSecrets } from '../src/secrets';

const NOTHING_GIVEN = {
  keyPepper: undefined,
  previousKeyPepper: undefined,
  linkSecret: undefined,
  previousLinkSecret: undefined,
  sealingSecret: undefined,
  previousSealingSecret: undefined,
  consolePassword: undefined,
  consoleSecret: undefined,
};

/** In memory, as a file has it. */
function memoryHome(): Home {
  const files = new Map<string, string>();
  return {
    path: '',
    read: (file) => {
      const text = files.get(file);
      return text === undefined ? undefined : JSON.parse(text);
    },
    write: (file, content) => void files.set(file, JSON.stringify(content)),
    remove: (file) => void files.delete(file),
  };
}

it('secrets are made once, and that which seals keys of vendors is made anew beside the one before', () => {
  const home = memoryHome();
  const first = openSecrets(home, NOTHING_GIVEN);
  expect(openSecrets(home, NOTHING_GIVEN)).toEqual(first);
  home.write('secrets.json', { ...first, sealingSecret: undefined, previousSealingSecret: first.sealingSecret });
  const second = openSecrets(home, NOTHING_GIVEN);
  expect(second).toEqual({
    ...first,
    sealingSecret: expect.any(String),
    previousSealingSecret: first.sealingSecret,
  });
  expect(second.sealingSecret).not.toBe(first.sealingSecret);
  expect(openSecrets(home, NOTHING_GIVEN)).toEqual(second);
});
