/** An account's class: its share of the turns in which tasks that wait in their rows are enqueued. */
export const PRIORITY_CLASSES = ['low', 'normal', 'high'] as const;
export type PriorityClass = (typeof PRIORITY_CLASSES)[number];
