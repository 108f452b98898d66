/** What its caller may do with a task that waits for him, by the operation of the task. */
export const NEXT_ACTIONS: Readonly<Record<string, NextAction>> = {
  'imgtool.inpaint': { type: 'modal', method: 'POST', path: '/v1/imgtool/generations/modal' },
};

export interface NextAction {
  type: 'modal';
  method: 'POST';
  path: string;
}
