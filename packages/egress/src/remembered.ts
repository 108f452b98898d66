/** Answers that are kept, the oldest given up for a new one. */
const MAX_ANSWERS = 1_000;
/** Longer texts are asked about anew: what is kept stays below half a megabyte. */
const MAX_CHARACTERS = 512;

/** The same function of a text, which gives the answers of the last texts without asking anew. What it throws is not kept. */
export function remembered<Answer>(ask: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    const answer = ask(text);
    if (text.length > MAX_CHARACTERS) return answer;
    if (answers.size >= MAX_ANSWERS) {
      const [oldest] = answers.keys();
      if (oldest !== undefined) answers.delete(oldest);
    }
    answers.set(text, answer);
    return answer;
  };
}
