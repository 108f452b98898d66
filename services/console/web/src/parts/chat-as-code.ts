export const CHAT_PATH = '/openai/v1/chat/completions';

interface Chat {
  baseUrl: string;
  body: Readonly<Record<string, unknown>>;
}

/** The call in Python, by the client that everybody has for chats. */
export function chatInPython({ baseUrl, body }: Chat): string {
  return [
    'import json, os',
    'from openai import OpenAI',
    '',
    `client = OpenAI(base_url="${baseUrl}/openai/v1", api_key=os.environ["MEDIAGATE_KEY"])`,
    'body = json.loads(r"""',
    JSON.stringify(body, null, 2).replaceAll('"""', '\\u0022\\u0022\\u0022'),
    '""")',
    'for chunk in client.chat.completions.create(**body):',
    '    for choice in chunk.choices:',
    '        print(choice.delta.content or "", end="", flush=True)',
  ].join('\n');
}

export function chatInTypeScript({ baseUrl, body }: Chat): string {
  return [
    "import OpenAI from 'openai';",
    '',
    'const client = new OpenAI({',
    `  baseURL: '${baseUrl}/openai/v1',`,
    '  apiKey: process.env.MEDIAGATE_KEY,',
    '});',
    `const stream = await client.chat.completions.create(${JSON.stringify(body, null, 2)});`,
    'for await (const { choices } of stream) {',
    "  process.stdout.write(choices[0]?.delta.content ?? '');",
    '}',
  ].join('\n');
}
