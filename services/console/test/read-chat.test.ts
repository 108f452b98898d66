import { type ChatAnswer, readChat } from '../web/src/pages/playground/read-chat';

/** The text as a connection delivers it: cut anywhere, also within a character. */
function inPieces(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let start = 0; start < bytes.length; start += size) controller.enqueue(bytes.slice(start, start + size));
      controller.close();
    },
  });
}

const events = (...chunks: object[]) =>
  [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');

const piece = (content: string) => ({ choices: [{ delta: { content } }] });

it.each([1, 7, 1000])('a text is the same in pieces of %i bytes, and its usage comes with its end', async (size) => {
  const usage = { prompt_tokens: 5, completion_tokens: 3 };
  const seen: ChatAnswer[] = [];
  await readChat(inPieces(events(piece('To be '), piece('séen.'), { choices: [], usage }), size), (answer) => {
    seen.push(answer);
  });
  expect(seen.at(-1)).toEqual({ text: 'To be séen.', usage });
});

it('a fault among the events ends it with that fault', async () => {
  const stream = inPieces(
    events(piece('To'), { error: { message: 'The model broke off.', reason: 'upstream_error' } }),
    1000,
  );
  await expect(readChat(stream, () => {})).rejects.toMatchObject({ reason: 'upstream_error' });
});
