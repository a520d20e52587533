/** What a form takes for an email address; the server has the last word. */
export const EMAIL = /^[^\s"(),:;<>@[\\\]]+@[^\s@.]+(\.[^\s@.]+)+$/;
