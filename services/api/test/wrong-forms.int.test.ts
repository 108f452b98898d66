import { forAllTests } from '@mediagate/testkit';
import { startTestApi } from './test-api';

let key: string;
const api = forAllTests(startTestApi);
beforeAll(async () => {
  key = (await api.createCaller()).key;
});

const FORMS = ['/v1/images/edits', '/v1/uploads/images', '/v1/files'];
const send = (path: string, body: string) =>
  fetch(`${api.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=b' },
    body,
  });
const part = (headers: string, content = 'x') => `--b\r\n${headers}\r\n\r\n${content}\r\n--b--\r\n`;

const WRONG: Record<string, string> = {
  'a field without a name': part('Content-Disposition: form-data'),
  'a file without a name': part('Content-Disposition: form-data; filename="a.png"\r\nContent-Type: image/png'),
  'a field with an empty name': part('Content-Disposition: form-data; name=""'),
  'a part without headers': part('X: y'),
  'a part of another disposition': part('Content-Disposition: attachment; name="file"'),
  'a name in an unknown charset': part("Content-Disposition: form-data; name*=no-such''%ff; filename*=no-such''%ff"),
  'a name that is no UTF-8': part("Content-Disposition: form-data; name*=utf-8''%ff%fe"),
  'a name of a prototype': part('Content-Disposition: form-data; name="__proto__"'),
  'a header without an end': '--b\r\nContent-Disposition: form-data; name="file"',
  'a part without an end': '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
  'no part': '--b--\r\n',
  nothing: '',
};

it.each(FORMS.flatMap((path) => Object.keys(WRONG).map((what) => [path, what] as const)))(
  '%s answers 400 to %s',
  async (path, what) => {
    const response = await send(path, WRONG[what] ?? '');
    expect([what, response.status]).toEqual([what, 400]);
  },
);

it.each(FORMS)('%s says that a part has no name', async (path) => {
  for (const what of ['a field without a name', 'a file without a name']) {
    const { error } = (await (await send(path, WRONG[what] ?? '')).json()) as { error: { message: string } };
    expect(error.message).toContain('has no name');
  }
});
