/** What a backup's name may end in when it is uploaded (spec.md section 5). What it is decides its content. */
export const UPLOAD_ENDINGS = ['.gz', '.bz2', '.archive', '.backup', '.sql', '.dump'] as const;
