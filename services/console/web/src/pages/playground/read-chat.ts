import { ApiError } from '../../api/api-error.ts';

/** The answer of a text model until now. */
export interface ChatAnswer {
  text: string;
  /** Present once the answer has ended. */
  usage?: { prompt_tokens: number; completion_tokens: number };
}

interface Chunk {
  choices?: { delta?: { content?: string | null } }[];
  usage?: ChatAnswer['usage'] | null;
  error?: { message: string; reason?: string };
}

/** Reads a completion that comes in events; calls with all that there is after each piece. @throws ApiError for one among the events */
export async function readChat(body: ReadableStream<Uint8Array>, onPiece: (answer: ChatAnswer) => void): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let answer: ChatAnswer = { text: '' };
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    answer = lines.flatMap(chunkOf).reduce(withChunk, answer);
    onPiece(answer);
  }
}

/** The chunk of a line; none if the line has no data. */
function chunkOf(line: string): Chunk[] {
  const data = line.startsWith('data:') ? line.slice('data:'.length).trim() : '';
  return data === '' || data === '[DONE]' ? [] : [JSON.parse(data) as Chunk];
}

function withChunk(answer: ChatAnswer, { choices = [], usage, error }: Chunk): ChatAnswer {
  if (error !== undefined) throw new ApiError(error.message, { status: 200, reason: error.reason });
  const text = choices.map(({ delta }) => delta?.content ?? '').join('');
  return { ...answer, text: answer.text + text, ...(usage && { usage }) };
}
