/** A typed search is for one task, or narrows the list by filters of these names. */
export type Searched = { taskId: string } | { filters: Record<string, string> };
