/**
 * File name endings accepted for an uploaded backup (docs/product/backups.md, Uploads). The content decides its format.
 */
export const UPLOAD_ENDINGS = ['.gz', '.bz2', '.archive', '.backup', '.sql', '.dump'] as const;
