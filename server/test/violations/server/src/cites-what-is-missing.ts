/** Cites documents that are elsewhere (spec.md; product
 * section 4; security.md X1), a page that is not there (docs/product/nothing.md) and a heading that is not there
 * (docs/product/email.md, Undo nothing). What follows is there: docs/product/email.md, Undo send. */
export {};
