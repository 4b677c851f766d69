#!/bin/sh
# In the place of curl and wget: whatever they ask for, $ANY_ANSWER comes, to where they are told to put it.
own=wget out=""
case "$0" in *curl) own=curl out=- ;; esac
for word; do
  if [ "$taken" ]; then
    out=$word taken=""
    continue
  fi
  case "$own $word" in
    *" --output="* | *" --output-document="*) out=${word#*=} ;;
    *" --output" | *" --output-document" | "curl -o" | "curl -"[!-]*o | "wget -O" | "wget -"[!-]*O) taken=1 ;;
    "wget -"[!-]*O-) out=- ;;
    "curl -O" | "curl -"[!-]*O | "curl --remote-name") out="" ;;
    *" http"*) url=${word%%\?*} ;;
  esac
done
[ -n "$out" ] || out=${url##*/}
if [ "$out" = - ]; then printf %s "$ANY_ANSWER"; else printf %s "$ANY_ANSWER" > "${out:-index.html}"; fi
