const DEFAULTS = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'mediagate' };
/** The type of a body that names none, and of a request without a body. */
const FORM = 'application/x-www-form-urlencoded';
// biome-ignore lint/suspicious/noControlCharactersInRegex: no header may hold them, and a key that was copied may end with one.
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000a-\u001f\u007f]/g;

/**
 * The headers of a request as they go out, each once, whatever the case that it is written in: those of the body go before those of
 * the request, and these before our own. axios is given none, because it looks each of them up among all others several times.
 */
export function wireHeaders(
  { method, headers }: { method: string; headers: Readonly<Record<string, string>> },
  ofBody: Readonly<Record<string, string>>,
): Record<string, string> {
  const wire: Record<string, string> = { ...DEFAULTS };
  for (const given of [headers, ofBody]) {
    for (const [name, value] of Object.entries(given))
      wire[name.toLowerCase()] = value.replace(CONTROL_CHARACTERS, '').trim();
  }
  if (method === 'POST' || method === 'PUT') wire['content-type'] ??= FORM;
  return wire;
}
