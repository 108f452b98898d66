import { SecretFiles } from './secret-files';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('goes on without a file that hangs, begins no second read of it, and takes its text once it comes', async () => {
  let answer: (text: string) => void = () => undefined;
  const read = jest.fn((path: string) =>
    path === '/hangs' ? new Promise<string>((resolve) => (answer = resolve)) : Promise.resolve('other'),
  );
  const files = new SecretFiles(read);
  const look = async () => {
    const looked = files.read(['/hangs', '/other', '/other']);
    await jest.advanceTimersByTimeAsync(500);
    return await looked;
  };
  expect([await look(), await look()]).toEqual(['\0other', '\0other']);
  expect(read.mock.calls.filter(([path]) => path === '/hangs')).toHaveLength(1);
  answer('late');
  expect(await look()).toBe('late\0other');
});
