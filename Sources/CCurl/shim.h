// Imports the system's libcurl, with wrappers for its variadic functions, which Swift cannot call.
#pragma once
#include <curl/curl.h>

typedef size_t (*ccurl_write)(char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);
typedef int (*ccurl_progress)(void *_Nullable context, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

static inline CURLcode ccurl_set_number(CURL *_Nonnull handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *_Nonnull handle, CURLoption option, const void *_Nullable value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_write(CURL *_Nonnull handle, ccurl_write _Nonnull function, void *_Nullable context) {
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
  return curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, function);
}

static inline CURLcode ccurl_set_progress(CURL *_Nonnull handle, ccurl_progress _Nonnull function) {
  curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
  return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, function);
}

static inline long ccurl_status(CURL *_Nonnull handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}
