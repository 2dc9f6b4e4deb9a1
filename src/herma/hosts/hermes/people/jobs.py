"""Scheduled jobs: who made one, learnt when it is made, for a job runs without anybody speaking."""

import json
from collections.abc import Mapping

__all__ = ["made_by"]

# The tool that keeps scheduled jobs, as 0.19 and 0.22 call it.
_TOOLS = ("cronjob", "cronjob_manage")


def made_by(tool: str, payload: Mapping[str, object]) -> str:
    """The id of the job that this ended call made; empty when it made none."""
    args, result = payload.get("args"), payload.get("result")
    if tool not in _TOOLS or not isinstance(args, Mapping) or not isinstance(result, str):
        return ""
    if args.get("action") != "create":
        return ""
    try:
        answer = json.loads(result)
    except ValueError:
        return ""
    job = answer.get("job_id") if isinstance(answer, Mapping) and answer.get("success") else None
    return job if isinstance(job, str) else ""
