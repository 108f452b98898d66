interface Page<Entry> {
  data: Entry[];
  next_cursor: string | null;
}

/** The entries of a list, page after page, each asked for when its first entry is wanted. */
export async function* entriesOf<Entry>(
  ask: (from: { cursor?: string }) => Promise<Page<Entry>>,
): AsyncGenerator<Entry> {
  let page = await ask({});
  yield* page.data;
  while (page.next_cursor !== null) {
    page = await ask({ cursor: page.next_cursor });
    yield* page.data;
  }
}
