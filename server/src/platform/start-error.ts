/** An expected failure to start. The message is the one line shown to the person who starts the program. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
